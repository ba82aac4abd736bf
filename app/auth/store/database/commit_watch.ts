import type { Database, Statement } from 'better-sqlite3'

/**
 * SQLite changes `data_version` with every commit of another connection or process
 * (sqlite.org/pragma.html#pragma_data_version).
 */
export class CommitWatch {
  #readVersion: Statement<[], number>
  #version: number | undefined

  constructor(connection: Database) {
    this.#readVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  }

  /** Call it before reading a row: the next call then sees a commit between the two. */
  hasChanged() {
    const version = this.#readVersion.get()
    const hasChanged = version !== this.#version
    this.#version = version
    return hasChanged
  }
}
