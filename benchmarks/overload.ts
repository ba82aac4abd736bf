import { Agent, request as send } from 'node:http'
import { sendSteadily, type Load } from './open_loop.ts'
import { percentile } from './statistics.ts'
import type { Request, Service } from './service.ts'

export interface Overload {
  /** Logins sent in a second, and how many of them were accepted. */
  offered: number
  accepted: number
  refused: number
  other: number
  refusalP99: number
  profileP50: number
  profileP99: number
}

interface Sample {
  status: number
  ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

function exchange(url: string, { method, path, headers, body }: Request): Promise<Sample> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const finish = (status: number) => resolve({ status, ms: performance.now() - startedAt })
    const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const outgoing = send(url + path, { method, agent, headers: { ...headers, ...length } })
    outgoing.on('response', (response) => {
      response.resume()
      response.on('end', () => finish(response.statusCode!))
    })
    outgoing.on('error', () => finish(0))
    outgoing.end(body)
  })
}

function sendInTurn({ url }: Service, requests: Request[], load: Load) {
  return sendSteadily((number) => exchange(url, requests[number % requests.length]), load)
}

/** Offers three times the logins that the machine can hash, and reads profiles at the same time. */
export async function overload(service: Service, { rate, seconds }: Load): Promise<Overload> {
  const { login, profile } = service.requests
  const [logins, profiles] = await Promise.all([
    sendInTurn(service, login!, { rate, seconds }),
    sendInTurn(service, profile!, { rate: 50, seconds }),
  ])
  const refusals = logins.filter(({ status }) => status === 503)
  const accepted = logins.filter(({ status }) => status === 200)
  const times = (samples: Sample[]) => samples.map(({ ms }) => ms)
  return {
    offered: rate,
    accepted: accepted.length / seconds,
    refused: refusals.length / seconds,
    other: logins.length - refusals.length - accepted.length,
    refusalP99: percentile(times(refusals), 99),
    profileP50: percentile(times(profiles), 50),
    profileP99: percentile(times(profiles), 99),
  }
}
