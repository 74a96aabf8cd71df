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
    id: 'toolu_1',
    name: 'list_files',
    input: { path: 'src' },
    output: [
      'src/billing/invoice.ts 4812',
      'src/billing/tax-rate.ts 2240',
      'src/billing/rounding.ts 1377',
      'src/orders/order.ts 7120',
      'src/orders/order-line.ts 3095',
      'src/orders/discount.ts 1804',
      'src/http/invoices.ts 5234',
      'src/http/orders.ts 6018',
    ].join('\n'),
  },
  {
    id: 'toolu_2',
    name: 'search',
    input: { query: 'roundHalfEven' },
    output: [
      'billing/rounding.ts:9:export function roundHalfEven(cents: bigint): bigint {',
      'billing/tax-rate.ts:31:  return roundHalfEven(net * rate.permille / 1000n)',
      'billing/tax-rate.ts:44:  lines.map((line) => roundHalfEven(line.tax))',
      'billing/invoice.ts:88:  total: roundHalfEven(sum(lines)),',
    ].join('\n'),
  },
  {
    id: 'toolu_3',
    name: 'read_file',
    input: { path: 'src/billing/rounding.ts' },
    output:
      'export function roundHalfEven(cents: bigint): bigint {\n  return (cents + 5n) / 10n\n}',
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
