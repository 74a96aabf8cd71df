/** Made-up secrets in the true shapes, put together here so that no file holds one whole. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const noise = (length: number, alphabet = letters): string =>
  Array.from({ length }, (_, at) => alphabet[(at * 7 + length * 3) % alphabet.length]).join('')
const upper = (length: number): string => noise(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')

export const PLANTED: Readonly<Record<string, string>> = {
  'AWS access key id': `AKIA${upper(16)}`,
  'AWS secret key': `aws_secret_access_key = ${noise(40)}`,
  'GitHub token': `ghp_${noise(36)}`,
  'GitHub fine-grained token': `github_pat_${noise(22)}_${noise(59)}`,
  'GitLab token': `glpat-${noise(20)}`,
  'Slack token': `xoxb-${noise(12, '0123456789')}-${noise(12, '9876543210')}-${noise(24)}`,
  'Stripe key': `sk_live_${noise(24)}`,
  'SendGrid key': `SG.${noise(22)}.${noise(43)}`,
  'npm token': `npm_${noise(36)}`,
  'OpenAI key': `sk-proj-${noise(74)}T3BlbkFJ${noise(74)}`,
  'Anthropic key': `sk-ant-api03-${noise(93)}AA`,
  'Hugging Face token': `hf_${noise(34, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ')}`,
  'basic auth in a URL': `https://admin:${noise(14)}@internal.service.net/path`,
  'database URL': `postgres://svc:${noise(16)}@db.internal.net:5432/app`,
  'Google API key': `AIza${noise(35)}`,
  'JSON web token': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${noise(43)}`,
  'bearer header': `Authorization: Bearer ${noise(40)}`,
  password: `password = "${noise(12)}7"`,
  'password of a variable': `DB_PASSWORD="${noise(12)}7"`,
  'password of an .env file': `export DB_PASSWORD=${noise(12)}7\n`,
  'Vault token': `hvs.${noise(95)}`,
  IBAN: 'DE89 3704 0044 0532 0130 00',
  'card number': '4111 1111 1111 1111',
  'plain card number': 'card 5555555555554444',
  SSN: '512-45-6789',
}

/** A fresh private key in PEM: no made-up one has the structure that the rule looks for. */
export async function plantedKey(): Promise<string> {
  const { privateKey } = (await crypto.subtle.generateKey(
    { name: 'ECDSA', namedCurve: 'P-256' },
    true,
    ['sign', 'verify'],
  )) as CryptoKeyPair
  const der = new Uint8Array((await crypto.subtle.exportKey('pkcs8', privateKey)) as ArrayBuffer)
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n')
}
