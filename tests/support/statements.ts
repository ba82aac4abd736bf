import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { Server, type IncomingMessage, type ServerResponse } from 'node:http'
import Sqlite from 'better-sqlite3'
import { Pipeline, Redis } from 'ioredis'
import pg from 'pg'

/*
 | Counts what a request sends to the database and to Redis, in the drivers. A request with this
 | header has a list for all that it calls (`AsyncLocalStorage`), so that concurrent requests, jobs
 | and timers do not count. Work after the complete answer does not count either: timers that a
 | request starts seal the trail or wake the queue for all requests.
 | `tests/bootstrap` loads this file before the first connection opens.
 */
const HEADER = 'x-counted-as'

export interface Counted {
  requests: number
  /** Statements to the database, `BEGIN` and `COMMIT` included. */
  statements: string[]
  /** Commands to Redis. A script counts as one. */
  commands: string[]
}

const current = new AsyncLocalStorage<{ counted: Counted; isAnswered: boolean }>()
const counts = new Map<string, Counted>()

/** SQLite keeps this setting per connection, and reads no table for it. */
const SETTING = /^PRAGMA synchronous/

function note(list: 'statements' | 'commands', text: string) {
  const request = current.getStore()
  if (!request || request.isAnswered || SETTING.test(text)) return
  request.counted[list].push(text.replaceAll(/\s+/g, ' ').trim())
}

function wrap(prototype: object, methods: string[], before: (self: any, args: any[]) => void) {
  for (const name of methods) {
    const method = Reflect.get(prototype, name)
    Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
      before(this, args)
      return Reflect.apply(method, this, args)
    })
  }
}

const statement = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'))
wrap(statement, ['run', 'get', 'all', 'iterate'], ({ source }) => note('statements', source))
wrap(Sqlite.prototype, ['exec'], (_, [sql]) => note('statements', sql))
wrap(pg.Client.prototype, ['query'], (_, [query]) => note('statements', query.text ?? query))

/** A command from a pipeline has a stream. It was noted when it entered the pipeline. */
function noteCommand(_: unknown, [{ name, args }, stream]: any[]) {
  if (!stream) note('commands', [name, ...args.slice(0, 1)].join(' '))
}

wrap(Redis.prototype, ['sendCommand'], noteCommand)
wrap(Pipeline.prototype, ['sendCommand'], noteCommand)

const { emit } = Server.prototype
Server.prototype.emit = function (this: Server, event: string, ...args: any[]) {
  const counted = event === 'request' && counts.get(String(args[0].headers[HEADER]))
  const next = () => Reflect.apply(emit, this, [event, ...args])
  return counted ? runCounted(counted, args as [IncomingMessage, ServerResponse], next) : next()
}

function runCounted(
  counted: Counted,
  [, response]: [IncomingMessage, ServerResponse],
  next: () => boolean
) {
  const request = { counted, isAnswered: false }
  const { end } = response
  counted.requests++
  response.end = function (this: ServerResponse, ...args: any[]) {
    const result = Reflect.apply(end, this, args)
    request.isAnswered = true
    return result
  } as typeof end
  return current.run(request, next)
}

export type CountedHeaders = Record<typeof HEADER, string>

/** Returns what all requests with the given headers send. */
export async function countStatements(act: (headers: CountedHeaders) => Promise<unknown>) {
  const [id, counted] = [randomUUID(), { requests: 0, statements: [], commands: [] } as Counted]
  counts.set(id, counted)
  try {
    await act({ [HEADER]: id })
  } finally {
    counts.delete(id)
  }
  return counted
}

/** Returns what `act` itself sends to the database. */
export async function statementsOf(act: () => Promise<unknown>) {
  const counted: Counted = { requests: 0, statements: [], commands: [] }
  await current.run({ counted, isAnswered: false }, act)
  return counted.statements
}
