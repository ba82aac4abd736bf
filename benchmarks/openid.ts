import { setTimeout as wait } from 'node:timers/promises'
import {
  ALGORITHMS,
  Application,
  clientsOf,
  personOf,
  type Clients,
  type Tokens,
} from './application.ts'
import { loadWith, type Round } from './load.ts'
import { pin, residentMemory, SERVER_CORE } from './machine.ts'
import { percentile } from './statistics.ts'
import { perRequest, type Count } from './statements.ts'
import type { Browser } from './browser.ts'
import type { Request, Service } from './service.ts'

/*
 | What applications ask of an OpenID provider: sign-in of a person who is signed in there,
 | refresh, client_credentials, userinfo and introspection. The product is measured beside the
 | library that it uses, alone and with everything in memory, and beside Keycloak.
 */

export const OPENID_OPERATIONS = [
  'sign-in, RS256',
  'sign-in, ES256',
  'refresh',
  'client_credentials',
  'profile',
  'userinfo',
  'introspection',
] as const
export type OpenIdOperation = (typeof OPENID_OPERATIONS)[number]

export interface OpenIdFigures {
  /** Round by round. */
  rounds: Partial<Record<OpenIdOperation, Round[]>>
  statements: Partial<Record<OpenIdOperation, Count>>
  /** Before the first request to the provider and after the first sign-in, in megabytes. */
  memory: { before: number; after: number }
}

/** People who sign in at the same time, and connections of all other loads. */
const PEOPLE = 16

/** Requests whose statements are counted. */
const COUNTED = 8

/** A provider with its applications, people who are signed in, and their tokens. */
class Provider {
  readonly figures: OpenIdFigures = {
    rounds: {},
    statements: {},
    memory: { before: 0, after: 0 },
  }
  readonly #requests: Partial<Record<OpenIdOperation, Request[]>> = {}

  private constructor(
    readonly service: Service,
    readonly applications: Record<keyof Clients, Application>,
    readonly people: Browser[]
  ) {}

  static async prepare(service: Service) {
    pin(service.pid, SERVER_CORE)
    const clients = Object.entries(await clientsOf(service))
    const applications = clients.map(([name, client]) => [name, new Application(service, client)])
    const people = Array.from({ length: PEOPLE }, (_, at) => personOf(service, at))
    const provider = new Provider(service, Object.fromEntries(applications), people)
    await provider.#measureMemory()
    return provider
  }

  async #measureMemory() {
    const before = residentMemory(this.service.pid)
    await this.applications.ES256.signIn(this.people[0])
    await wait(500)
    this.figures.memory = { before, after: residentMemory(this.service.pid) }
  }

  /** Makes new tokens each time, because the library keeps the last thousand records in memory. */
  async makeRequests() {
    const { lasting, machine } = this.applications
    const tokens: Tokens[] = []
    for (const person of this.people) tokens.push(await lasting.signInForLong(person))
    await lasting.assertActive(tokens[0])
    Object.assign(this.#requests, {
      refresh: tokens.map((each) => lasting.refreshRequest(each)),
      client_credentials: [machine.machineRequest()],
      profile: this.service.requests.profile?.slice(0, PEOPLE),
      userinfo: tokens.map((each) => lasting.userinfoRequest(each)),
      introspection: tokens.map((each) => lasting.introspectionRequest(each)),
    })
  }

  #applicationOf(operation: OpenIdOperation) {
    const algorithm = ALGORITHMS.find((name) => operation.endsWith(name))
    return algorithm && this.applications[algorithm]
  }

  async measure(operation: OpenIdOperation, seconds: number): Promise<Round | null> {
    const application = this.#applicationOf(operation)
    if (application) return signInAll(application, this.people, seconds)
    await this.makeRequests()
    const requests = this.#requests[operation]
    return requests ? loadWith(this.service, requests, { connections: PEOPLE, seconds }) : null
  }

  /** Counts the statements of requests that are sent one after the other. */
  async count(operation: OpenIdOperation, read: () => Promise<Count>) {
    await this.makeRequests()
    const application = this.#applicationOf(operation)
    const requests = this.#requests[operation]
    if (!application && !requests) return
    const before = await read()
    for (let at = 0; at < COUNTED; at++) {
      if (application) await application.signIn(this.people[at])
      else await this.service.send(requests![at % requests!.length])
    }
    this.figures.statements[operation] = perRequest(before, await read(), COUNTED)
  }
}

interface Plan {
  operations: OpenIdOperation[]
  rounds: number
  seconds: number
  /** Returns null if the statements of a service are not counted. */
  readCount(service: Service): (() => Promise<Count>) | null
}

/** Each round measures every provider, so that what slows the machine down slows all providers. */
export async function measureOpenId(services: Service[], plan: Plan) {
  const { operations, rounds, seconds, readCount } = plan
  const providers: Provider[] = []
  for (const service of services) providers.push(await Provider.prepare(service))
  for (let round = 0; round <= rounds; round++) {
    for (const operation of operations) {
      for (const provider of providers) {
        const { warmUpSeconds = 1 } = provider.service.target
        const result = await provider.measure(operation, round === 0 ? warmUpSeconds : seconds)
        if (result && round > 0) (provider.figures.rounds[operation] ??= []).push(result)
      }
    }
  }
  for (const provider of providers) {
    const read = readCount(provider.service)
    if (!read) continue
    for (const operation of operations) await provider.count(operation, read)
  }
  const figures = providers.map((provider) => [provider.service.target.name, provider.figures])
  return Object.fromEntries(figures) as Record<string, OpenIdFigures>
}

/** Each person signs in again as soon as they are signed in. */
async function signInAll(application: Application, people: Browser[], seconds: number) {
  const { service } = application
  const times: number[] = []
  const [cpuBefore, startedAt] = [service.cpuTime(), performance.now()]
  const end = startedAt + seconds * 1_000
  const repeat = async (person: Browser) => {
    while (performance.now() < end) {
      const begun = performance.now()
      await application.signIn(person)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(people.map(repeat))
  const passed = performance.now() - startedAt
  return {
    rate: (times.length * 1_000) / passed,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    cpuUs: ((service.cpuTime() - cpuBefore) * 1_000) / times.length,
    failed: 0,
  }
}
