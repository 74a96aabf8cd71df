/**
 * A curl that works when pasted: three turns of an agent, the newest output kept and the two older
 * ones masked. The outputs are longer than a placeholder, since shorter ones are left alone.
 */
export const tryIt = (url: string, token: string): string =>
  [
    `curl -sS ${url}/v1/missions/demo/mask \\`,
    `  -H "authorization: Bearer ${token}" \\`,
    `  -H "content-type: application/json" \\`,
    `  -d '${JSON.stringify(MASK)}'`,
  ].join('\n')

interface Step {
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, string>>
  readonly output: string
}

// No apostrophe in here: the body stands between single quotes in a shell.
const STEPS: readonly Step[] = [
  {
    id: 'toolu_01',
    name: 'list_files',
    input: { path: 'src' },
    output: [
      'src/billing/invoice.ts 4812 bytes',
      'src/billing/invoice-number.ts 911 bytes',
      'src/billing/tax-rate.ts 2240 bytes',
      'src/billing/rounding.ts 1377 bytes',
      'src/orders/order.ts 7120 bytes',
      'src/orders/order-line.ts 3095 bytes',
      'src/orders/discount.ts 1804 bytes',
      'src/http/invoices.ts 5234 bytes',
      'src/http/orders.ts 6018 bytes',
    ].join('\n'),
  },
  {
    id: 'toolu_02',
    name: 'search',
    input: { query: 'roundHalfEven', path: 'src' },
    output: [
      'src/billing/rounding.ts:9: export function roundHalfEven(cents: bigint): bigint {',
      'src/billing/tax-rate.ts:31:   return roundHalfEven(net * rate.permille / 1000n)',
      'src/billing/tax-rate.ts:44:   const perLine = lines.map((line) => roundHalfEven(line.tax))',
      'src/billing/invoice.ts:88:   total: roundHalfEven(sum(lines)),',
      'src/orders/discount.ts:17:   return roundHalfEven(price * percent / 100n)',
    ].join('\n'),
  },
  {
    id: 'toolu_03',
    name: 'read_file',
    input: { path: 'src/billing/rounding.ts' },
    output: [
      'export function roundHalfEven(cents: bigint): bigint {',
      '  const whole = cents / 10n',
      '  const rest = cents % 10n',
      '  if (rest > 5n) return whole + 1n',
      '  if (rest === 5n) return whole + (whole % 2n)',
      '  return whole',
      '}',
    ].join('\n'),
  },
]

const MASK = {
  policy: { trigger: { type: 'always' }, keep: 1 },
  request: {
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    messages: [
      { role: 'user', content: 'Why are the totals of some invoices one cent off?' },
      ...STEPS.flatMap(({ id, name, input, output }) => [
        { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
      ]),
    ],
  },
}
