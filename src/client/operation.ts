import type * as z from 'zod'
import type { Contract, OperationName } from '../contract/contract.ts'

type Row<Name extends OperationName> = Contract[Name]

type ParamsOf<Path> = Path extends `${string}{${infer Param}}${infer Rest}`
  ? { readonly [Key in Param]: string } & ParamsOf<Rest>
  : unknown

type QueryOf<R> = R extends { readonly query: infer Query extends z.ZodType }
  ? { readonly query?: z.input<Query> }
  : unknown

type BodyOf<R> = R extends { readonly body: infer Body }
  ? { readonly body: Body extends z.ZodType ? z.input<Body> : Uint8Array<ArrayBuffer> }
  : unknown

/** What an operation takes: the parameters of its path, `query` and `body`. */
export type Input<Name extends OperationName> = ParamsOf<Row<Name>['path']> &
  QueryOf<Row<Name>> &
  BodyOf<Row<Name>>

/** What it answers: JSON as its schema says, or the bytes; null where it may answer nothing. */
export type Output<Name extends OperationName> =
  | ContentOf<Row<Name>['answers']>
  | ('empty' extends Row<Name>['outcomes'][number] ? null : never)

type ContentOf<Answer> = Answer extends z.ZodType ? z.output<Answer> : Uint8Array<ArrayBuffer>
