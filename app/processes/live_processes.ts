import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { version } from '#config/app'
import {
  deleteProcess,
  insertProcess,
  lockProcesses,
  selectLive,
  touchProcess,
} from './process_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const INTERVAL_MS = 10_000

export interface LiveProcess {
  id: string
  version: string
  host: string
  role: 'server'
  startedAt: Date
  seenAt: Date
  /** A short digest of each setting that the process runs with, by its name. */
  settings?: Record<string, string>
}

/** Returns the oldest first. A process that was killed counts for 30 more seconds. */
export async function liveProcesses(
  client: QueryClientContract = db.connection()
): Promise<LiveProcess[]> {
  const rows = await selectLive(client)
  return rows.map(({ started_at: startedAt, seen_at: seenAt, settings, ...row }) => ({
    ...row,
    startedAt: new Date(Number(startedAt)),
    seenAt: new Date(Number(seenAt)),
    ...(settings && { settings: JSON.parse(settings) }),
  }))
}

let own: { id: string; timer: NodeJS.Timeout } | null = null
let beating = Promise.resolve()
let readSettings: () => Record<string, string> = () => ({})

/** Sets the function that describes this process's settings for its row. Each beat calls it. */
export function describeSettings(read: () => Record<string, string>) {
  readSettings = read
}

function settingsText() {
  const settings = readSettings()
  return Object.keys(settings).length > 0 ? JSON.stringify(settings) : null
}

/** Runs after the tables of this version exist, and before anything is served. */
export async function registerProcess() {
  const id = randomUUID()
  await insert(id)
  own = { id, timer: setInterval(() => (beating = beat(id)), INTERVAL_MS).unref() }
}

async function insert(id: string) {
  const row = { id, version, host: hostname(), role: 'server', settings: settingsText() } as const
  await db.transaction(async (trx) => {
    await lockProcesses(trx)
    await insertProcess(trx, row)
  })
}

/** Logs an unavailable database only at debug level, because it is reported elsewhere. */
async function beat(id: string) {
  try {
    if (!(await touchProcess(db.connection(), { id, settings: settingsText() }))) await insert(id)
  } catch (error) {
    logger.debug({ err: error }, 'the row of this process was not written')
  }
}

/** Runs at a clean stop. Another process may restore a backup immediately afterwards. */
export async function unregisterProcess() {
  if (!own) return
  const { id, timer } = own
  clearInterval(timer)
  own = null
  await beating
  await deleteProcess(db.connection(), id).catch(() => {})
}
