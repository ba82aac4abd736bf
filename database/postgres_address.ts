// `DATABASE_URL` may contain parameters that only this product reads. The replica has the users and
// passwords of the primary, and its port and database unless the parameter names others.

const PARAMETERS = ['pool', 'prepared_statements', 'replica'] as const

type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>

export type PreparedStatements = 'auto' | 'on' | 'off'

export interface PostgresAddress {
  connectionString?: string
  poolSize: number
  preparedStatements: PreparedStatements
  replica: string | null
}

const REPLICA = /^(?<host>\[[\da-f:]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?(?:\/(?<database>[\w-]+))?$/i

export function readPostgresAddress(address: string | undefined): PostgresAddress {
  const { connectionString, parameters } = split(address)
  const { pool = 10, prepared_statements: prepared = 'auto', replica } = parameters
  return {
    connectionString,
    poolSize: Number(pool),
    preparedStatements: prepared as PreparedStatements,
    replica: replica ? atReplica(connectionString!, replica) : null,
  }
}

/** @returns words that follow the name of the setting */
export function parameterProblem(address: string) {
  const { pool, prepared_statements: prepared, replica } = split(address).parameters
  if (pool !== undefined && !(/^\d{1,3}$/.test(pool) && Number(pool) >= 2 && Number(pool) <= 200)) {
    return 'must have a pool from 2 to 200'
  }
  if (prepared !== undefined && !/^(auto|on|off)$/.test(prepared)) {
    return 'must have prepared_statements that are auto, on or off'
  }
  const isReplica = replica === undefined || REPLICA.test(replica)
  return isReplica ? null : 'must name its replica as host, host:5432 or host:5432/database'
}

/** Removes our parameters. An address without them reaches the driver unchanged. */
function split(address: string | undefined) {
  const parameters: Parameters = {}
  const url = address ? URL.parse(address) : null
  if (!url) return { connectionString: address, parameters }
  for (const name of PARAMETERS) {
    const value = url.searchParams.get(name)
    if (value !== null) parameters[name] = value
  }
  const isPlain = Object.keys(parameters).length === 0
  PARAMETERS.forEach((name) => url.searchParams.delete(name))
  return { connectionString: isPlain ? address : url.href, parameters }
}

function atReplica(connectionString: string, replica: string) {
  const { host, port, database } = REPLICA.exec(replica)!.groups!
  const url = new URL(connectionString)
  url.hostname = host
  if (port) url.port = port
  if (database) url.pathname = `/${database}`
  return url.href
}
