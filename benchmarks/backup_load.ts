import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../tests/support/temporary_folder.ts'
import { timedProfile } from '../tests/process/backend.ts'
import { Product } from '../tests/process/product.ts'
import { percentile } from './statistics.ts'

/* What requests wait while a scheduled backup is made, and without one: both after a fresh start. */

export interface Wait {
  p50: number
  p99: number
  longest: number
  asked: number
}

export interface Waits {
  without: Wait
  meanwhile: Wait
}

const USER = { email: 'bench@example.org', username: 'Bench', password: 'Correct-h0rse!' }

/** The minimum is long enough for a percentile; the maximum ends the measurement. */
const [LEAST_MS, MOST_MS] = [5_000, 300_000]

/** One request every hundredth of a second, so that a pause of the process hits several. */
const EVERY_MS = 10

async function waitsUntil(product: Product, token: string, isOver: () => boolean): Promise<Wait> {
  const pending: Promise<number>[] = []
  const startedAt = performance.now()
  const passed = () => performance.now() - startedAt
  while (passed() < LEAST_MS || (!isOver() && passed() < MOST_MS)) {
    const time = timed(product, token)
    /** The error is thrown below: unhandled, it would end this process and leave its servers. */
    time.catch(() => {})
    pending.push(time)
    await wait(EVERY_MS)
  }
  const times = await Promise.all(pending)
  return {
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    longest: Math.max(...times),
    asked: times.length,
  }
}

async function timed(product: Product, token: string) {
  const { status, tookMs } = await timedProfile(product, token)
  if (status !== 200) throw new Error(`/auth/profile answered ${status}`)
  return tookMs
}

export async function waitsDuringBackup(
  settings: Record<string, string>,
  dataDir: string,
  recipient: string
): Promise<Waits> {
  const folder = temporaryFolder('bench')
  const quiet = await Product.start(settings, dataDir)
  await quiet.request('/auth/register', { body: USER })
  const token = await signIn(quiet)
  const without = await waitsUntil(quiet, token, () => true)
  await quiet.stop()
  const schedule = { BACKUP_EVERY: '1h', BACKUP_DIR: folder, BACKUP_RECIPIENT: recipient }
  const product = await Product.start({ ...settings, ...schedule }, dataDir)
  const isMade = () => readdirSync(folder).some((name) => !name.startsWith('.'))
  try {
    const meanwhile = await waitsUntil(product, await signIn(product), isMade)
    if (!isMade()) throw new Error(`No backup was made.\n${product.output.join('')}`)
    return { without, meanwhile }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function signIn(product: Product) {
  const { body } = await product.request('/auth/login', { body: USER })
  return body.accessToken as string
}
