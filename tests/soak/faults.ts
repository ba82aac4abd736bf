import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { until } from '#tests/support/waiting'
import type { Product } from '#tests/process/product'
import type { Installation } from './installation.ts'
import type { Random } from './random.ts'

/** Takes a part away, and gives it back. */
export type Fault = (installation: Installation, random: Random) => Promise<unknown>

const OWN_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'gatehouse'`

const OF_PROCESSES: Record<string, Fault> = {
  'app killed': ({ servers }, random) => servers.kill(servers.pick(random)),
  'app stopped': ({ servers }, random) => servers.stop(servers.pick(random)),
}

const OF_SERVERS: Record<string, Fault> = {
  async 'redis killed'({ backend }, random) {
    await backend!.redis!.stop('SIGKILL')
    await wait(random.below(1_500))
    await backend!.redis!.resume()
  },
  async 'redis frozen'({ backend }) {
    backend!.redis!.signal('SIGSTOP')
    await wait(700)
    backend!.redis!.signal('SIGCONT')
  },
  async 'postgres crashed'({ backend }, random) {
    await backend!.postgres.stop('SIGQUIT')
    await wait(random.below(1_500))
    await backend!.postgres.resume()
  },
  async 'postgres stopped'({ backend }, random) {
    await backend!.postgres.stop('SIGINT')
    await wait(random.below(1_500))
    await backend!.postgres.resume()
  },
  'postgres connections ended': ({ backend }) => backend!.postgres.query(OWN_CONNECTIONS),
}

const OF_DISKS: Record<string, Fault> = {
  async 'tables full'({ disk }, random) {
    try {
      await disk!.fill()
      await wait(1_000 + random.below(2_000))
    } finally {
      disk!.free()
    }
  },
}

/** A process that has ended has no limits. Its end is noticed a little later. */
async function limitFiles(product: Product, bytes: number | null) {
  try {
    product.limitFiles(bytes)
  } catch {
    await until(() => product.hasEnded)
  }
}

const OF_FILES: Record<string, Fault> = {
  async 'files full'({ servers }, random) {
    const products = servers.running.map(({ product }) => product)
    try {
      for (const product of products) await limitFiles(product, 1)
      await wait(1_000 + random.below(2_000))
    } finally {
      for (const product of products) await limitFiles(product, null)
    }
  },
}

const OF_SQLITE: Record<string, Fault> = {
  async 'database locked'({ servers }, random) {
    const other = new Sqlite(join(servers.dataDir, 'gatehouse.sqlite'), { timeout: 10_000 })
    try {
      other.exec('BEGIN IMMEDIATE')
      await wait(1_000 + random.below(3_000))
    } finally {
      other.close()
    }
  },
}

function faultsOf({ backend, disk, faults }: Installation): Record<string, Fault> {
  if (faults) return faults
  const ofDatabase = backend ? OF_SERVERS : OF_SQLITE
  return { ...OF_PROCESSES, ...ofDatabase, ...OF_FILES, ...(disk && OF_DISKS) }
}

/** How often a fault is in the deck: a kill at another moment finds another defect. */
const TIMES: Record<string, number> = { 'app killed': 3 }

function deckOf(faults: Record<string, Fault>) {
  return Object.keys(faults).flatMap((name) => Array<string>(TIMES[name] ?? 1).fill(name))
}

/** Causes each fault in turn, in random order, until the time is over. */
export async function breakThings(installation: Installation, random: Random, endsAt: number) {
  const faults = faultsOf(installation)
  const counts: Record<string, number> = {}
  const violations: string[] = []
  let names: string[] = []
  while (performance.now() < endsAt - 3_000) {
    await wait(500 + random.below(1_500))
    if (names.length === 0) names = random.shuffled(deckOf(faults))
    const name = names.pop()!
    await faults[name](installation, random).catch((error) => {
      violations.push(`${name}: ${error.message}`)
    })
    await installation.servers.replaceEnded()
    counts[name] = (counts[name] ?? 0) + 1
  }
  return { counts, violations }
}
