import { describe, expect, it } from 'vitest'
import { splitSentences } from '../../../../src/domain/fold/sentences/sentences.ts'
import { linesOf } from '../../../support/lines-of.ts'

const split = (prose: string) => splitSentences(linesOf(prose))
const texts = (prose: string): readonly string[] => split(prose).map(({ text }) => text)
const cited = (prose: string): readonly string[] =>
  split(prose).map(({ ids }) => ids.map(({ id }) => id).join(' '))

describe('splitSentences', () => {
  it.each([
    ['A file foo.rb:42 writes. It ends.', ['A file foo.rb:42 writes.', 'It ends.']],
    ['Since v1.2.3 it is 3.14 or .5 of it. Yes.', ['Since v1.2.3 it is 3.14 or .5 of it.', 'Yes.']],
    ['It uses v1.2.3. Then it ends.', ['It uses v1.2.3.', 'Then it ends.']],
    ['It reads app/a.b/c.rb and ../d. Then?', ['It reads app/a.b/c.rb and ../d.', 'Then?']],
    [
      'See https://a.example/b.html?c=d.e#f. Then http://b.example! Ok.',
      ['See https://a.example/b.html?c=d.e#f.', 'Then http://b.example!', 'Ok.'],
    ],
    ['A#b calls C.d() and E::f. Done.', ['A#b calls C.d() and E::f.', 'Done.']],
    ['A#valid? holds and a.save! is called. Ok.', ['A#valid? holds and a.save! is called.', 'Ok.']],
    ['Is it limit_ok? Yes. It is!', ['Is it limit_ok?', 'Yes.', 'It is!']],
    ['Really?! No way!! Ok.', ['Really?!', 'No way!!', 'Ok.']],
  ])('does not split inside names, numbers and addresses: %j', (prose, expected) => {
    expect(texts(prose)).toEqual(expected)
  })

  it.each([
    ['Jobs, e.g. PayRefund, i.e. the first, cf. Dr. Roe vs. Mr. Doe, et al. here. End.', 2],
    ['E.g. this. I.e. that.', 2],
    ['Jobs, queues, etc. are there. End.', 2],
    ['It has jobs, queues, etc. The end.', 2],
    ['The U.S. limit holds from 9 a.m. on. End.', 2],
    ['approx. 3 of them, resp. 4, incl. 5. End.', 2],
  ])('does not split behind abbreviations: %j', (prose, count) => {
    expect(texts(prose)).toHaveLength(count)
  })

  it.each([
    ['It retries… and gives up. End.', ['It retries… and gives up.', 'End.']],
    ['It retries... and gives up. End.', ['It retries... and gives up.', 'End.']],
    ['It retries... Then it ends.', ['It retries...', 'Then it ends.']],
    ['It retries… Then it ends…', ['It retries…', 'Then it ends…']],
    ['It retries... [FINDING-1] and ends. End.', ['It retries... [FINDING-1] and ends.', 'End.']],
  ])('splits at an ellipsis only before a capital letter: %j', (prose, expected) => {
    expect(texts(prose)).toEqual(expected)
  })

  it.each('\t\v\f\u0085\u00a0\u2003\u200b\u2028\u2029\u202f\u3000\ufeff'.split(''))(
    'splits before any white space: %j',
    (space) => {
      expect(texts(`It is so.${space}Nobody pays.`)).toEqual(['It is so.', 'Nobody pays.'])
    },
  )

  it('splits at CJK full stops without a blank behind them', () => {
    expect(texts('失敗した。再試行する！なぜ？「引用。」です。')).toEqual([
      '失敗した。',
      '再試行する！',
      'なぜ？',
      '「引用。」です。',
    ])
  })

  it.each([
    ['It runs `a. B. c` there. End.', ['It runs `a. B. c` there.', 'End.']],
    ['It (see a. And b.) runs. End.', ['It (see a. And b.) runs.', 'End.']],
    ['It [x. Y] runs {z. W}. End.', ['It [x. Y] runs {z. W}.', 'End.']],
    ['It（a。b）runs。終。', ['It（a。b）runs。', '終。']],
    ['Not closed (a. B.', ['Not closed (a.', 'B.']],
    ['Not closed `a. B.', ['Not closed `a.', 'B.']],
    ['Crossed (a. [b) c]. D.', ['Crossed (a. [b) c].', 'D.']],
  ])('does not split inside backticks and brackets that close: %j', (prose, expected) => {
    expect(texts(prose)).toEqual(expected)
  })

  it('keeps closing quotes and emphasis with their sentence', () => {
    expect(texts('"It ends." **It is so.** _Yes!_ ‘No.’ End.')).toEqual([
      '"It ends."',
      '**It is so.**',
      '_Yes!_',
      '‘No.’',
      'End.',
    ])
  })

  it('joins wrapped lines, and ends a sentence at blank lines, items, rows, rules and fences', () => {
    expect(texts('It is\nso\n\nand so\n- one\n  more\n* two\n1. three\n2) four')).toEqual([
      'It is\nso',
      'and so',
      'one\nmore',
      'two',
      'three',
      'four',
    ])
    expect(texts('> It is\n> so.\n>\n> Yes\n---\n| a | b |\n| - | - |\n```\nx\n```\ny')).toEqual([
      'It is\nso.',
      'Yes',
      '| a | b |',
      'x',
      'y',
    ])
    expect(texts('- [ ] open\n- [x] done')).toEqual(['open', 'done'])
  })

  it('takes the words of a heading for a sentence, in a fence or not', () => {
    expect(texts('It is so\n### All is free. Pay!\nYes\n```\n# none pays x\n```')).toEqual([
      'It is so',
      'All is free.',
      'Pay!',
      'Yes',
      'none pays x',
    ])
    expect(texts('### Summary\n\n## 2.1 Answer\n\n### Nobody pays.')).toEqual(['Nobody pays.'])
    expect(split('\n ###  All is free').map(({ line, column }) => [line, column])).toEqual([[2, 7]])
    expect(texts('### DT-1\n\n####\n\n- DT-1, FINDING-1:\n- DT-12: so')).toEqual(['DT-12: so'])
  })

  it('says where each sentence starts', () => {
    const prose = 'One. Two\nthree. Four.\n\n  - **Five** six.\n> Seven.'
    expect(split(prose).map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [1, 6],
      [2, 8],
      [4, 5],
      [5, 3],
    ])
  })

  it('gives a sentence the ids that it carries or that follow it directly', () => {
    expect(cited('A is [FINDING-1]. B is. [FINDING-2] C is.(FINDING-3) D `FINDING-4` is.')).toEqual(
      ['FINDING-1', 'FINDING-2', 'FINDING-3', 'FINDING-4'],
    )
    expect(cited('A is. [FINDING-1][FINDING-2], B is.')).toEqual(['FINDING-1 FINDING-2', ''])
    expect(cited('A is. FINDING-1, FINDING-2. B is.')).toEqual(['FINDING-1 FINDING-2', ''])
    expect(cited('A is. (see FINDING-1 and GAP-2). B is.')).toEqual(['FINDING-1 GAP-2', ''])
    expect(cited('A is\n[FINDING-1]\n\nB is.\n[FINDING-2]')).toEqual(['FINDING-1', 'FINDING-2'])
    expect(cited('失敗。[FINDING-1]再試行。[FINDING-2]')).toEqual(['FINDING-1', 'FINDING-2'])
  })

  it('gives a sentence more ids than one call can carry', () => {
    const many = 150_000
    const bare = split(`A is [FINDING-1]. ${'GAP-3 '.repeat(many)}`)
    expect(bare.map(({ ids }) => ids.length)).toEqual([1 + many])
    const bracketed = split(`A is. [GAP-1${'/2'.repeat(many)}]`)
    expect(bracketed.map(({ ids }) => ids.length)).toEqual([1 + many])
  })

  it.each([
    'A is. [FINDING-1, H]',
    'A is. [FINDING-1 (H)]',
    'A is. [FINDING-1 & 021]',
    'A is. (per FINDING-1)',
    'A is. (cf. FINDING-1)',
    'A is. (FINDING-1; app/a.rb:4-7)',
    'A is. [FINDING-1](findings.md#finding-1)',
    'A is.[FINDING-1](#f1)',
    'A is. [FINDING-1][f1]',
    'A is. Evidence: FINDING-1.',
  ])('takes what begins with an id for a citation: %j', (prose) => {
    expect(cited(prose)).toEqual(['FINDING-1'])
    expect(cited(`${prose} B is.`)).toEqual(['FINDING-1', ''])
  })

  it('takes no brackets that hold a sentence for a citation', () => {
    expect(cited('A is. (FINDING-1 shows B.)')).toEqual(['', 'FINDING-1'])
    expect(cited('A is. (FINDING-1 is. B is)')).toEqual(['', 'FINDING-1'])
    expect(cited('A is. (all but FINDING-1)')).toEqual(['', 'FINDING-1'])
    expect(cited('A is. (see FINDING-1.)')).toEqual(['FINDING-1'])
  })

  it('leaves ids that lead a sentence to it, and does not lend them to the one before', () => {
    expect(cited('[FINDING-1] A is. [FINDING-2] B is.')).toEqual(['FINDING-1', 'FINDING-2'])
    expect(cited('A is. FINDING-2 shows B.')).toEqual(['', 'FINDING-2'])
    expect(cited('A is.\n\n[FINDING-1]')).toEqual([''])
    expect(cited('[FINDING-1]\n\nA is.')).toEqual([''])
  })

  it('finds no sentence in marks, emoji, zero-width characters and ids alone', () => {
    expect(texts('— … ** [] () 🔥 \u200b\n\n[FINDING-1, GAP-2]\n\n---')).toEqual([])
    expect(texts('')).toEqual([])
  })
})
