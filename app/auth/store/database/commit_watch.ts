import type { Database, Statement } from 'better-sqlite3'
import { writesBegun } from '#database/sqlite_writes'
import { currentRequestBatch } from './request_batch.ts'

/**
 * Tells a connection that only reads whether rows that it read before may be outdated.
 *
 * SQLite changes `data_version` with every commit of another connection, of this process or
 * of another one (sqlite.org/pragma.html#pragma_data_version). It is read once for all
 * requests of a batch, unless this process has begun a write since. The pragma takes 4 µs of
 * the 47 to 69 of a profile; under load the saving is close to the noise
 * (docs/performance.md, “Each trick taken out”).
 */
export class CommitWatch {
  #readVersion: Statement<[], number>
  #version: number | undefined
  #batch: number | null = null
  #writes = -1

  constructor(connection: Database) {
    this.#readVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  }

  /**
   * True when something was committed since the last call. Call it before reading a row: a
   * commit between the two is seen by the next call, so a cached row is never older than it says.
   */
  hasChanged() {
    if (this.#isChecked()) return false
    const version = this.#readVersion.get()
    const hasChanged = version !== this.#version
    this.#version = version
    return hasChanged
  }

  /** Whether the version was read for this batch already, after the last write of this process. */
  #isChecked() {
    const [batch, writes] = [currentRequestBatch(), writesBegun()]
    if (batch !== null && batch === this.#batch && writes === this.#writes) return true
    this.#batch = batch
    this.#writes = writes
    return false
  }
}
