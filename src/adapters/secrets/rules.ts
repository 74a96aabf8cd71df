import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { Finding } from '../../domain/secrets/finding.ts'
import { secret } from '../../domain/secrets/finding.ts'

/**
 * All rules of the preset but its comment filter: a `secretlint-disable` inside an agent's tool output
 * is the attacker's, and would hide every secret behind it.
 */
const config = {
  rules: rules
    .filter((rule) => !rule.meta.id.endsWith('rule-filter-comments'))
    .map((rule) => ({
      id: rule.meta.id,
      rule,
      ...(rule.meta.id.endsWith('rule-aws') ? { options: { enableIDScanRule: true } } : {}),
    })),
}

/** What secretlint finds: the rule by its short name and where, never the match. */
export async function scanWithRules(text: string): Promise<readonly Finding[]> {
  const { messages } = await lintSource({
    source: { filePath: 'excerpt.txt', content: text, ext: '.txt', contentType: 'text' },
    options: { config, noPhysicFilePath: true, maskSecrets: true },
  })
  return messages.map(({ ruleId, range }) => secret(shortName(ruleId), range[0], range[1]))
}

const shortName = (rule: string): string => rule.slice(rule.lastIndexOf('rule-') + 'rule-'.length)
