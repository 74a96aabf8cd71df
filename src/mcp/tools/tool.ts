import type {
  CallToolResult,
  Tool as ListedTool,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { parseInput } from '../../contract/input.ts'
import type { OperationRow } from '../../contract/operation.ts'
import { lacksScope } from '../../contract/reach.ts'
import type { Failure } from '../../domain/failure.ts'
import { ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import { spendToolCall } from '../../operations/fold/spend-tool-call.ts'
import type { Deps } from '../../ports.ts'
import { guarded } from '../guarded.ts'
import { missionOf } from '../invoke.ts'
import type { Session } from '../invoke.ts'
import { errorResult } from '../result.ts'

type Content = CallToolResult['content']

/** What a tool is called for: whose token, which mission, and its own arguments. */
interface ToolCall<Input> {
  readonly session: Session & { readonly mission: string }
  readonly input: Input
}

/** A tool as agents know it. Its row of the contract says who may call it. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema
  readonly annotations: ToolAnnotations
  readonly row: OperationRow
  /** Whether a call counts against the budget of the abstract phase. */
  readonly counts: boolean
  readonly run: (deps: Deps, call: ToolCall<z.output<Schema>>) => Promise<Result<Content, Failure>>
}

/** A tool among others: its arguments are checked by its own schema before it runs. */
export const asTool = <Schema extends z.ZodObject>(tool: Tool<Schema>): Tool =>
  tool as unknown as Tool

const mission = z.string().optional().describe('The mission, where neither token nor URL names it.')

/** How a session's client sees the tool, or null where its token may not call it. */
export function listedTool({ caller }: Session, tool: Tool): ListedTool | null {
  if (lacksScope(tool.row, caller)) return null
  const { name, title, description, annotations } = tool
  const inputSchema = z.toJSONSchema(tool.input.extend({ mission }), { io: 'input' })
  return {
    name,
    title,
    description,
    annotations: { openWorldHint: false, ...annotations },
    inputSchema: inputSchema as ListedTool['inputSchema'],
  }
}

/** Calls a tool: scope, mission, arguments and budget are checked before it runs, in that order. */
export async function callTool(
  deps: Deps,
  session: Session,
  tool: Tool,
  given: unknown,
): Promise<CallToolResult> {
  const content = await guarded(deps, tool.name, async () => {
    const args = parseInput(z.looseObject({ mission }), given ?? {})
    if (!args.ok) return args
    const { mission: named, ...rest } = args.value
    const owned = missionOf(session, tool.row, named)
    if (!owned.ok) return owned
    const input = parseInput(tool.input, rest)
    if (!input.ok) return input
    const owner = { tenant: session.caller.tenant, mission: owned.value }
    const spent = tool.counts ? await spendToolCall(deps, owner) : ok(null)
    if (!spent.ok) return spent
    return tool.run(deps, { session: { ...session, mission: owned.value }, input: input.value })
  })
  return content.ok ? { content: content.value } : errorResult(content.error)
}
