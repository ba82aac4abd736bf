import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { inEnglish } from '#i18n/sentences'
import { findUnwritable, writeOnce } from '#setup/writable_database'
import { ConnectionCheck } from './connection_check.ts'

const isPostgres = env.get('DB_CONNECTION') === 'pg'

/** Writes, because a database that refuses writes (as on a full disk) cannot serve a sign-in. */
export class DatabaseConnectionCheck extends ConnectionCheck {
  name = 'database'
  driver = env.get('DB_CONNECTION')

  readonly #writtenMs: number
  #writtenAt = -Infinity

  /** @param writtenMs how long a write counts: anonymous clients must not cause endless writes */
  constructor({ writtenMs = 1_000 } = {}) {
    super()
    this.#writtenMs = writtenMs
  }

  protected async ping() {
    if (performance.now() - this.#writtenAt < this.#writtenMs) return db.rawQuery('SELECT 1')
    await this.write()
    this.#writtenAt = performance.now()
  }

  protected write(): Promise<unknown> {
    return isPostgres ? this.#writeToPostgres() : this.#writeBesideSqlite()
  }

  async #writeToPostgres() {
    await writeOnce(db)
  }

  /** A writing statement would wait for another writer, and block every request until then. */
  async #writeBesideSqlite() {
    const probe = join(env.get('DATA_DIR'), `.health.${process.pid}`)
    await writeFile(probe, 'x')
    await rm(probe)
    const unwritable = findUnwritable(env.get('DATA_DIR'))
    if (unwritable) throw new Error(inEnglish(unwritable.finding))
    await db.rawQuery('SELECT 1')
  }
}
