import logger from '@adonisjs/core/services/logger'
import { Circuit } from './replica_circuit.ts'
import { queryPool, type Connections } from './run_statement.ts'

// If the replica fails, its statement and all later ones go to the primary until it answers again.

export interface KnexClient extends Connections {
  logger: { warn: (text: string) => void }
}

export function fallBackTo(findPrimary: () => KnexClient, replica: KnexClient) {
  const own: Connections = {
    acquireConnection: replica.acquireConnection.bind(replica),
    releaseConnection: replica.releaseConnection.bind(replica),
    query: replica.query.bind(replica),
  }
  const circuit = new Circuit(() => queryPool(own, { sql: 'SELECT 1' }))
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
    // knex writes into a statement that it runs, so each server gets its own copy.
    const askReplica = () => own.query(connection, { ...statement })
    return circuit.run(askReplica, () => queryPool(findPrimary(), statement))
  }
}
