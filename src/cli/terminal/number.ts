import { InvalidArgumentError } from 'commander'

/** Reads the value of an option that counts something. */
export function wholeNumber(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A whole number.')
}
