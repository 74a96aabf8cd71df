import { describe, expect, it } from 'vitest'
import { endpoints, subscriptionsOf } from '../../../src/domain/hooks/endpoint.ts'
import { OUTBOUND_TYPES } from '../../../src/domain/mission/live-event.ts'

const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
const inbound = { id: 'platform', direction: 'inbound', tenant: 'acme', secrets }
const outbound = {
  id: 'alerts',
  direction: 'outbound',
  tenant: 'acme',
  secrets,
  url: 'https://alerts.example/foldex',
}

const accepts = (...list: unknown[]): boolean => endpoints.safeParse(list).success

describe('the endpoints of a deployment', () => {
  it('have defaults: the mission under data.mission, and every outbound event', () => {
    expect(endpoints.parse([inbound, outbound])).toEqual([
      { ...inbound, mission_field: 'data.mission' },
      { ...outbound, events: [...OUTBOUND_TYPES] },
    ])
  })

  it.each([
    ['http to a host', 'http://alerts.example/'],
    ['the metadata service', 'http://169.254.169.254/latest'],
    ['user and password', 'https://u:p@alerts.example/'],
    ['a user', 'https://u@alerts.example/'],
    ['another scheme', 'ftp://alerts.example/'],
    ['a fragment', 'https://alerts.example/#x'],
    ['no URL', 'alerts.example'],
  ])('refuse a URL with %s', (_what, url) => {
    expect(accepts({ ...outbound, url })).toBe(false)
  })

  it.each(['http://127.0.0.1:9000/hook', 'http://localhost:9000/', 'http://[::1]:9000/'])(
    'take %s, a receiver on the machine itself',
    (url) => {
      expect(accepts({ ...outbound, url })).toBe(true)
    },
  )

  it('refuse a short secret, a third secret, unknown members, an event that is not told, an id twice', () => {
    expect(accepts({ ...inbound, secrets: ['whsec_c2hvcnQ='] })).toBe(false)
    expect(accepts({ ...inbound, secrets: [] })).toBe(false)
    expect(accepts({ ...inbound, secrets: [...secrets, ...secrets, ...secrets] })).toBe(false)
    expect(accepts({ ...inbound, url: 'https://x.example/' })).toBe(false)
    expect(accepts({ ...outbound, events: ['context.sampled'] })).toBe(false)
    expect(accepts(inbound, { ...outbound, id: inbound.id })).toBe(false)
  })

  it('subscribe only their own tenant', () => {
    const list = endpoints.parse([inbound, outbound, { ...outbound, id: 'b', tenant: 'other' }])
    expect(subscriptionsOf(list, 'acme')).toEqual([
      { endpoint: 'alerts', url: outbound.url, events: [...OUTBOUND_TYPES] },
    ])
    expect(subscriptionsOf(list, 'nobody')).toEqual([])
  })
})
