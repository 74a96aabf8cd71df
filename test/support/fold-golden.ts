import { utf8 } from '../../src/domain/bytes.ts'
import { sha256 } from '../../src/domain/digest.ts'
import { validateFold } from '../../src/domain/fold/judge/validate.ts'
import { FINDINGS, FOLD, MISSION } from './fold-documents.ts'

/**
 * The digest of some 200 verdicts: the case, and the case with any one line of its documents gone or
 * spoiled. A change of it is a change of the rules: give RULES_VERSION another number.
 */
export const GOLDEN = 'c72db5e7e4726d0d456d59aa22dfa6a6a59e0fc2ac8d9fc2ff4ceb0ae3328c81'

export async function verdictsDigest(): Promise<string> {
  const verdicts = [...variants()].map((documents) =>
    validateFold({
      ...documents,
      count: (text) => Math.ceil(text.length / 4),
      trajectory_tokens: 900,
    }),
  )
  return sha256(utf8(JSON.stringify(verdicts)))
}

function* variants() {
  const documents = { mission_md: MISSION, findings_md: FINDINGS, fold_md: FOLD }
  yield documents
  for (const name of ['mission_md', 'findings_md', 'fold_md'] as const) {
    const lines = documents[name].split('\n')
    for (const [index, line] of lines.entries()) {
      if (line === '') continue
      yield { ...documents, [name]: lines.toSpliced(index, 1).join('\n') }
      const spoilt = `${line.replace('-0', '-0\u200b')}\u2028 Dr. É。is… \`x\` FINDING-9`
      yield { ...documents, [name]: lines.with(index, spoilt).join('\n') }
    }
  }
}
