import pg from 'pg'
import logger from '@adonisjs/core/services/logger'

/*
 | Lists go on while the replica is gone. A statement that fails with its connection is asked
 | of the primary, once, and so is every other one until the replica answers again.
 */

interface Statement {
  sql: string
}

export interface KnexClient extends Connections {
  logger: { warn: (text: string) => void }
}

interface Connections {
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<unknown>
  query(connection: object, statement: Statement): Promise<unknown>
}

/** How long the primary is asked before the replica is tried again. No request waits for the trial. */
const PAUSE_MS = 5_000

/**
 * Of a server that is away, starting, out of resources or behind a migration, and of a
 * statement that a standby gave up for what it has to replay. Any other answer, such as that
 * a statement took too long, would be the same on the primary.
 */
const SQL_STATE = /^(08|53|57P|58)|^(40001|42P01|42703)$/

function isReplicaGone(error: unknown) {
  return !(error instanceof pg.DatabaseError) || SQL_STATE.test(error.code ?? '')
}

/** Whether the replica is asked at all (a circuit breaker). */
class Circuit {
  #isOpen = false
  #triedAt = 0

  constructor(readonly probe: () => Promise<unknown>) {}

  async run<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    if (this.#isOpen) {
      this.#tryAgain()
      return onPrimary()
    }
    try {
      return await onReplica()
    } catch (error) {
      if (!isReplicaGone(error)) throw error
      this.#open(error as Error)
      return onPrimary()
    }
  }

  /** Requests that were under way fail together, which is one line of the log. */
  #open({ message }: Error) {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#triedAt = performance.now()
    const reason = message.split(' - ').at(-1)
    logger.warn({ reason }, 'the replica does not answer: lists are read from the primary')
  }

  #tryAgain() {
    if (performance.now() - this.#triedAt < PAUSE_MS) return
    this.#triedAt = performance.now()
    this.probe().then(
      () => this.#close(),
      () => {}
    )
  }

  #close() {
    if (!this.#isOpen) return
    this.#isOpen = false
    logger.info('the replica answers again')
  }
}

async function ask(client: Connections, statement: Statement) {
  const connection = await client.acquireConnection()
  return client.query(connection, statement).finally(() => client.releaseConnection(connection))
}

/** Makes the client of the replica ask the primary where the replica does not answer. */
export function fallBackTo(findPrimary: () => KnexClient, replica: KnexClient) {
  const own: Connections = {
    acquireConnection: replica.acquireConnection.bind(replica),
    releaseConnection: replica.releaseConnection.bind(replica),
    query: replica.query.bind(replica),
  }
  const circuit = new Circuit(() => ask(own, { sql: 'SELECT 1' }))
  /** Connections of the primary, with the client that they are given back to. */
  const borrowed = new WeakMap<object, KnexClient>()

  async function borrow() {
    const primary = findPrimary()
    const connection = await primary.acquireConnection()
    borrowed.set(connection, primary)
    return connection
  }

  // knex warns of each connection that it does not get; the circuit logs one line instead.
  replica.logger.warn = (text) => logger.debug(text)
  replica.acquireConnection = () => circuit.run(own.acquireConnection, borrow)
  replica.releaseConnection = (connection) =>
    (borrowed.get(connection) ?? own).releaseConnection(connection)
  replica.query = (connection, statement) => {
    const primary = borrowed.get(connection)
    if (primary) return primary.query(connection, statement)
    // knex writes into a statement that it runs, so that each server gets its own.
    const askReplica = () => own.query(connection, { ...statement })
    return circuit.run(askReplica, () => ask(findPrimary(), statement))
  }
}
