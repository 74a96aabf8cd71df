import * as z from 'zod'

/**
 * The eleven checks, in the order of a verdict; `contract` marks the seed's six. `refs_resolve` is in
 * a verdict only where the refs were looked up.
 */
export const CHECKS = {
  findings_indexed: { contract: true },
  gaps_listed: { contract: true },
  triggers_logged: { contract: true },
  answer_within_200_tokens: { contract: true },
  fold_within_2000_tokens: { contract: true },
  sentences_cite_findings: { contract: true },
  sections_in_order: { contract: false },
  header_verbatim: { contract: false },
  index_is_flat: { contract: false },
  no_invented_ids: { contract: false },
  refs_resolve: { contract: false },
} as const
export type CheckId = keyof typeof CHECKS

const checkId = z.enum(Object.keys(CHECKS) as [CheckId, ...CheckId[]])

/**
 * What is wrong, and where in fold.md: 1-based line, and column in UTF-16 units of the line. What is
 * missing is placed where it should stand; `id` is the finding, gap, trigger or section concerned.
 */
const issue = z.strictObject({
  code: z.string(),
  message: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
  id: z.string().optional(),
  hint: z.string(),
})
export type Issue = Readonly<z.infer<typeof issue>>

const check = z.strictObject({
  id: checkId,
  contract: z.boolean(),
  passed: z.boolean(),
  issues: z.array(issue).readonly(),
})
export type Check = Readonly<z.infer<typeof check>>

const warningCode = z.enum([
  'fold_cannot_fit',
  'fold_ratio_over_target',
  'fold_ratio_over_alarm',
  'trigger_not_declared',
  'text_before_sections',
])

/** What does not reject a fold. `fits` is the number of findings that 2,000 tokens can index. */
const warning = z.strictObject({
  code: warningCode,
  message: z.string(),
  fits: z.int().nonnegative().optional(),
  id: z.string().optional(),
})
export type Warning = Readonly<z.infer<typeof warning>>

/** The validator's answer (DESIGN section 14). The same documents give the same bytes, on any runtime. */
export const verdict = z.strictObject({
  accepted: z.boolean(),
  rules_version: z.int(),
  checks: z.array(check).readonly(),
  warnings: z.array(warning).readonly(),
  /** Distinct ids in findings.md; triggers that are declared and fired; sentences of section 2. */
  counts: z.strictObject({
    findings: z.int().nonnegative(),
    gaps: z.int().nonnegative(),
    triggers: z.int().nonnegative(),
    sentences: z.int().nonnegative(),
  }),
  /** Null where a text is so long that it can't be within its limit and was not counted. */
  tokens: z.strictObject({
    answer: z.int().nonnegative().nullable(),
    fold: z.int().nonnegative().nullable(),
    encoding: z.literal('o200k_base'),
  }),
  fold_ratio: z.number().nonnegative().optional(),
})
export type Verdict = Readonly<z.infer<typeof verdict>>
