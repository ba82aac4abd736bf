import { sendBeforeCommit } from '#database/change_watch'
import { retryLater } from '#auth/store/late_store'
import { endOfSessions, type EndedSessions } from './keys.ts'
import { BATCH } from './user_lease.ts'
import type { Transaction } from '#database/transaction'
import type { RedisConnection } from './connection.ts'
import type { ScriptName } from './scripts.ts'

/*
 | Redis cannot roll back. So what a transaction ends, revokes, locks or clears is sent right before
 | its commit: a transaction that is refused changes nothing (docs/store.md).
 */

interface Command {
  script: ScriptName
  keys: string[]
  args: (string | number)[]
  /** Undoes the command if its transaction is refused. Replies 1 when it has undone the command. */
  undo?: Command
}

export interface Unsent {
  ended: EndedSessions
  /** By the first key: the commands about one key are sent in their order. */
  commands: Map<string, Command[]>
}

export class UnsentChanges {
  #redis: RedisConnection
  #unsent = new WeakMap<Transaction, Unsent>()

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  /** Returns the sessions that the transaction ends; Redis still finds them until the commit. */
  endedBy(trx: Transaction | undefined, userId: string): ReadonlySet<string> {
    return (trx && this.#unsent.get(trx)?.ended.get(userId)) ?? new Set()
  }

  async end(userId: string, ids: string[], trx: Transaction) {
    if (ids.length === 0) return
    const { ended } = await this.#of(trx)
    ended.set(userId, new Set([...this.endedBy(trx, userId), ...ids]))
  }

  async add(command: Command, trx: Transaction) {
    const { commands } = await this.#of(trx)
    const [key] = command.keys
    commands.set(key, [...(commands.get(key) ?? []), command])
  }

  async #of(trx: Transaction) {
    const found = this.#unsent.get(trx)
    if (found) return found
    const unsent: Unsent = { ended: new Map(), commands: new Map() }
    this.#unsent.set(trx, unsent)
    await sendBeforeCommit(unsent, trx)
    return unsent
  }

  /**
   * @param besides users whose sessions end with the mark of their lease
   * @throws the error of ioredis if Redis refuses a command or is late
   */
  async send({ ended, commands }: Unsent, { besides }: { besides: string[] }) {
    const others = new Set(ended.keys()).difference(new Set(besides))
    const ends = [...others].map((userId) => [endOf(userId, ended)])
    const groups = [...ends, ...commands.values()]
    for (let at = 0; at < groups.length; at += BATCH)
      await Promise.all(groups.slice(at, at + BATCH).map((group) => this.#sendInOrder(group)))
  }

  /** Retries later, because Redis may run a late command after the transaction is refused. */
  undo({ commands }: Unsent) {
    const undos = [...commands.values()].flat().flatMap(({ undo }) => undo ?? [])
    for (const command of undos) void retryLater(() => this.#undo(command))
  }

  async #undo({ script, keys, args }: Command) {
    const undone = await this.#redis.run<number>(script, keys, args)
    return undone === 1
  }

  async #sendInOrder(commands: Command[]) {
    for (const { script, keys, args } of commands) await this.#redis.run(script, keys, args)
  }
}

function endOf(userId: string, ended: EndedSessions): Command {
  return { script: 'gatehouseEndSessions', ...endOfSessions(userId, ended.get(userId)!) }
}
