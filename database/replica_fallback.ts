import pg from 'pg'
import logger from '@adonisjs/core/services/logger'

// A statement that fails with its replica goes to the primary, as all others do until it answers again.

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

/** No request waits for the trial of the replica. */
const PAUSE_MS = 5_000

/** The server is away, out of resources, or behind in its replay; the primary would repeat other errors. */
const SQL_STATE = /^(08|53|57P|58)|^(40001|42P01|42703)$/

function isReplicaGone(error: unknown) {
  return !(error instanceof pg.DatabaseError) || SQL_STATE.test(error.code ?? '')
}

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

  /** Requests that fail together log one line. */
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

export function fallBackTo(findPrimary: () => KnexClient, replica: KnexClient) {
  const own: Connections = {
    acquireConnection: replica.acquireConnection.bind(replica),
    releaseConnection: replica.releaseConnection.bind(replica),
    query: replica.query.bind(replica),
  }
  const circuit = new Circuit(() => ask(own, { sql: 'SELECT 1' }))
  /** A connection goes back to the client that lent it. */
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
