import { prettyPrintError } from '@adonisjs/core'

const root = new URL('../', import.meta.url)

/** Resolves the relative module paths named in `adonisrc.ts` from the application root. */
export function importFromApp(path: string) {
  const isRelative = path.startsWith('./') || path.startsWith('../')
  return import(isRelative ? new URL(path, root).href : path)
}

/** What an operator can mend, told in a line with its remedy and without a stack. */
const REMEDIES: Record<string, (error: any) => string> = {
  E_INVALID_ENV_VARIABLES: ({ help }) => `Gatehouse cannot start with this environment:\n${help}`,
  EADDRINUSE: ({ address, port }) =>
    `Gatehouse cannot listen: ${address}:${port} is in use. Stop what uses it or set PORT.`,
  EACCES: ({ message }) => `Gatehouse is not allowed to: ${message}. Check HOST, PORT, DATA_DIR.`,
  ENOTDIR: ({ message }) => `Gatehouse cannot use its folder: ${message}. Check DATA_DIR.`,
  EROFS: ({ message }) => `Gatehouse cannot write: ${message}. Check DATA_DIR.`,
  SQLITE_NOTADB: () =>
    'Gatehouse cannot open its database: gatehouse.sqlite in DATA_DIR is not a database. Restore it from a backup.',
  ECONNREFUSED: ({ message }) =>
    `Gatehouse cannot reach its database: ${message}. Check DATABASE_URL or DB_HOST and DB_PORT.`,
}

async function tell(error: any) {
  const remedy = REMEDIES[error.code]
  if (remedy) console.error(remedy(error))
  else await prettyPrintError(error)
}

/** Ends a start that failed, whatever is open already. */
export async function refuseToStart(error: any) {
  await tell(error)
  process.exit(1)
}

/** Faults of a command line: what to type instead is told, and the exit code is that of a usage error. */
const USAGE_FAULTS = /^E_(COMMAND_NOT_FOUND|(MISSING|UNKNOWN|INVALID)_(FLAG|ARG)(_VALUE)?)$/

/** Ends a command that could not run at all. */
export async function refuseUsage(error: any, kernel: { exitCode?: number }) {
  const isUsage = USAGE_FAULTS.test(error.code)
  kernel.exitCode = isUsage ? 2 : 1
  if (isUsage) console.error(`${error.message}. See --help.`)
  else await tell(error)
}
