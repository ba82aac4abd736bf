import type { Database, Statement } from 'better-sqlite3'

/**
 * Tells a connection that only reads whether rows that it read before may be outdated.
 *
 * SQLite changes `data_version` with every commit of another connection, of this process or
 * of another one (sqlite.org/pragma.html#pragma_data_version).
 */
export class CommitWatch {
  #readVersion: Statement<[], number>
  #version: number | undefined

  constructor(connection: Database) {
    this.#readVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  }

  /**
   * True when something was committed since the last call. Call it before reading a row: a
   * commit between the two is seen by the next call, so a cached row is never older than it says.
   */
  hasChanged() {
    const version = this.#readVersion.get()
    const hasChanged = version !== this.#version
    this.#version = version
    return hasChanged
  }
}
