import { proxy } from '#tests/support/oidc'
import { useProxy } from '#tests/process/application'
import { ace } from '#tests/process/ace'
import { logoutListener } from '#tests/support/logouts'
import { until } from '#tests/support/waiting'
import { ApplicationClient } from './application_client.ts'
import { ApplicationRecord, registerApplications } from './applications.ts'
import { checkGrants, checkLogouts, checkUser } from './checks.ts'
import { SoakClient } from './client.ts'
import { breakThings } from './faults.ts'
import { Subscription } from './subscription.ts'
import { lostEvents, tracesInFiles, tracesInOutput, tracesOf } from './trail.ts'
import { Wire } from './wire.ts'
import type { AcknowledgedUser } from './acknowledged.ts'
import type { Installation } from './installation.ts'
import type { Random } from './random.ts'

interface Options {
  random: Random
  seconds: number
  clients: number
}

/** The interval in which a long run reports its progress. */
const TELL_MS = 60_000

/** Events are sealed within seconds, unless the machine is busy. */
const SEALING_MS = 60_000

type Listener = Awaited<ReturnType<typeof logoutListener>>

/** Puts an installation under load and faults, and collects what went wrong. */
export class Round {
  readonly wire: Wire
  readonly record = new ApplicationRecord()
  /** Chooses the process for the next request of a browser or of a check. */
  readonly #balancing: Random
  #users: AcknowledgedUser[] = []

  constructor(
    readonly installation: Installation,
    readonly options: Options
  ) {
    this.wire = new Wire(installation.servers)
    this.#balancing = options.random.fork()
  }

  async run() {
    const { servers } = this.installation
    const listener = await logoutListener()
    const subscription = await Subscription.start(servers.running[0].product)
    const restore = useProxy(() => this.#nextUrl())
    try {
      const applications = await registerApplications(servers.running[0].product, listener.uri)
      proxy.fetch = this.wire.fetch
      const faults = await this.#load(applications)
      const found = await this.#check(listener, subscription)
      return this.#report(faults, [...found, ...subscription.violations], subscription.counts)
    } finally {
      restore()
      this.wire.close()
      await subscription.stop()
      listener.close()
    }
  }

  #nextUrl() {
    return this.installation.servers.pick(this.#balancing).product.url
  }

  async #load(applications: Awaited<ReturnType<typeof registerApplications>>) {
    const { random, seconds, clients } = this.options
    const { wire, record } = this
    const ofApi = Array.from({ length: clients }, () => new SoakClient(random.fork(), wire))
    const ofApplications = Array.from(
      { length: Math.ceil(clients / 2) },
      () => new ApplicationClient({ random: random.fork(), wire, applications, record })
    )
    const endsAt = performance.now() + seconds * 1_000
    const work = async (client: { step: () => Promise<unknown> }) => {
      while (performance.now() < endsAt) await client.step()
    }
    const faults = breakThings(this.installation, random.fork(), endsAt)
    const telling = setInterval(() => this.#tell(), TELL_MS)
    await Promise.all([faults, ...[...ofApi, ...ofApplications].map(work)])
    clearInterval(telling)
    this.#users = ofApi.flatMap(({ users }) => users)
    return faults
  }

  #told = new Set<string>()

  /** Reports violations as they occur, so that a long run does not keep them until its end. */
  #tell() {
    const { installation, record, wire } = this
    const violations = [installation.servers, wire, record].flatMap((source) => source.violations)
    const answers = [...wire.statuses.values()].reduce((total, count) => total + count, 0)
    const news = violations.filter((violation) => !this.#told.has(violation))
    this.#told = new Set(violations)
    console.log(JSON.stringify({ at: new Date(), answers, violations: violations.length, news }))
  }

  async #check(listener: Listener, subscription: Subscription) {
    const { installation, wire, record } = this
    const { servers, backend } = installation
    await Promise.all(servers.running.map(({ product }) => product.answers('/health/ready')))
    const asking = { wire, random: this.#balancing }
    const found: string[] = []
    for (const user of this.#present) found.push(...(await checkUser(asking, user)))
    found.push(...(await checkGrants(record)))
    found.push(...(await checkLogouts(record.awaited, listener.claims)))
    found.push(...(await this.#checkTrail()))
    found.push(...(await subscription.check(installation.query)))
    if (backend) {
      found.push(...(await tracesOf(backend, this.#users)))
      found.push(...tracesInFiles([servers.dataDir, backend.redis!.folder], this.#users))
    }
    return [...found, ...tracesInOutput(servers.output, this.#users)]
  }

  async #checkTrail() {
    const { query, servers } = this.installation
    const { settings, dataDir } = servers
    const sealed = await until(async () => {
      const rows = await query('SELECT id FROM audit_events WHERE sequence IS NULL')
      return rows.length === 0
    }, SEALING_MS).catch(() => false)
    const { code, stderr } = await ace(dataDir, ['audit:verify'], { settings })
    const found = await lostEvents(query, this.#users)
    if (!sealed) found.push('some events are not sealed')
    if (code !== 0) found.push(`audit:verify: ${stderr}`)
    return found
  }

  /** Users who were not deleted. A user who was, or may have been, has no account to check. */
  get #present() {
    return this.#users.filter(({ deletion }) => deletion === 'none')
  }

  #report(
    faults: Awaited<ReturnType<typeof breakThings>>,
    found: string[],
    webhooks: Subscription['counts']
  ) {
    const { installation, record, wire } = this
    wire.close()
    const sources = [installation.servers, wire, record, faults]
    const violations = [...sources.flatMap((source) => source.violations), ...found]
    const users = this.#users
    return {
      on: installation.name,
      faults: faults.counts,
      answers: Object.fromEntries(wire.statuses),
      operations: record.served,
      users: users.length,
      erasedUsers: users.length - this.#present.length,
      endedSessions: users.flatMap(({ ended }) => ended).length,
      revokedTokens: users.flatMap(({ revoked }) => revoked).length,
      endedGrants: record.ended.length,
      toldLogouts: record.awaited.length,
      webhooks,
      violations,
    }
  }
}
