import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as a receiver got it. */
export interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
}

/** What a receiver does with its n-th request: a status, a redirect, or nothing at all. */
export type Reaction = number | { readonly redirect: string } | 'silence' | 'reset'

/** A real HTTP server on loopback that answers as a test says. */
export async function startReceiver(react: (got: Got, count: number) => Reaction) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { headers: request.headers, body, path: request.url ?? '' }
      got.push(one)
      const reaction = react(one, got.length)
      if (reaction === 'reset') request.socket.destroy()
      else if (typeof reaction === 'object')
        response.writeHead(302, { location: reaction.redirect }).end()
      else if (reaction !== 'silence') response.writeHead(reaction).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
