import { contract } from '../../contract/contract.ts'
import { invoke } from '../invoke.ts'
import { jsonContent } from '../result.ts'
import { asTool } from './tool.ts'

export const contextReport = asTool({
  name: 'context_report',
  title: 'Report the context',
  description: `${contract.report_context.summary}.`,
  input: contract.report_context.body,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  row: contract.report_context,
  counts: false,
  run: async (deps, { session, input }) =>
    jsonContent(await invoke(deps, session, 'report_context', { body: input })),
})

export const maskPlan = asTool({
  name: 'mask_plan',
  title: 'Plan a mask',
  description: `${contract.plan_mask.summary}.`,
  input: contract.plan_mask.body,
  annotations: { readOnlyHint: true },
  row: contract.plan_mask,
  counts: false,
  run: async (deps, { session, input }) =>
    jsonContent(await invoke(deps, session, 'plan_mask', { body: input })),
})

export const foldSubmit = asTool({
  name: 'fold_submit',
  title: 'Submit the fold',
  description:
    `${contract.submit_fold.summary}. Name the prompt that it was made from by its digest. ` +
    'A rejected fold is answered by a human: never submit another wording.',
  input: contract.submit_fold.body,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  row: contract.submit_fold,
  counts: false,
  run: async (deps, { session, input }) =>
    jsonContent(await invoke(deps, session, 'submit_fold', { body: input })),
})
