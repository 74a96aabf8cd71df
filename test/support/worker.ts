import { env, exports } from 'cloudflare:workers'
import { createJoseSigner } from '../../src/adapters/jose/jose-signer.ts'
import type { MintRequest } from '../../src/domain/access/claims.ts'
import { createApi } from './api.ts'
import type { Api } from './api.ts'
import { rootToken } from './tokens.ts'

export const signer = createJoseSigner(env.SIGNING_KEYS)

/** The Worker itself, as its clients call it. */
export const fetchWorker = (request: Request): Promise<Response> => exports.default.fetch(request)

/** The Worker as somebody calls it who holds a token of this tenant. */
export const workerApi = async (tenant: string, request: Partial<MintRequest> = {}): Promise<Api> =>
  createApi(fetchWorker, await rootToken(signer, tenant, request))
