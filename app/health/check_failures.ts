import env from '#start/env'
import { withoutStatement } from '#database/without_statement'
import { findUnwritable } from '#setup/writable_database'
import { isDependencyDown, isRedisFailure } from '#exceptions/dependency_failures'

interface Failure {
  message: string
  remedy: string
}

type Subject = 'database' | 'migrations' | 'store'

interface Explained extends Failure {
  /** Null for the line of the check itself. */
  subject: Subject | null
}

interface Rule extends Explained {
  isMet: (error: any) => boolean
}

/** Extended codes such as SQLITE_READONLY_DIRECTORY say what exactly could not be written. */
const UNWRITABLE = /^SQLITE_(CANTOPEN|READONLY|FULL|IOERR|PERM)/

const byCode = (codes: RegExp) => (error: any) => codes.test(error.code ?? '')
const byText = (text: RegExp) => (error: any) => text.test(error.message ?? '')

/** The first rule that matches explains an error. */
const RULES: Rule[] = [
  {
    subject: 'store',
    isMet: byText(/sentinels are unreachable.*(NOAUTH|WRONGPASS|NOPERM)/),
    message: 'the sentinels refuse the user or the password',
    remedy: 'Put user:password@ before a sentinel in REDIS_SENTINELS.',
  },
  {
    subject: 'store',
    isMet: byText(/^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/),
    message: 'Redis refuses the user or the password',
    remedy: 'Correct user and password in REDIS_URL.',
  },
  {
    subject: 'database',
    isMet: byCode(/^28/),
    message: 'Postgres refuses the user or the password',
    remedy: 'Correct user and password in DATABASE_URL, or DB_USER and DB_PASSWORD.',
  },
  {
    subject: 'database',
    isMet: byCode(/^3D000$/),
    message: 'Postgres has no database of this name',
    remedy: 'Create it, or correct the name in DATABASE_URL or DB_DATABASE.',
  },
  {
    subject: 'database',
    isMet: byCode(/^42501$/),
    message: 'Postgres refuses this user a right',
    remedy: 'Make the user in DATABASE_URL or DB_USER the owner of the database.',
  },
  {
    subject: 'database',
    isMet: byCode(/^53300$/),
    message: 'Postgres has no connection left',
    remedy: 'Raise max_connections of Postgres, or lower pool in DATABASE_URL.',
  },
  {
    subject: 'database',
    isMet: byText(/server does not support SSL/),
    message: 'Postgres has no TLS',
    remedy: 'Switch TLS on there, or take sslmode out of DATABASE_URL.',
  },
  {
    subject: 'database',
    isMet: byCode(/^25006$/),
    message: 'Postgres takes no writes: a standby, or read-only',
    remedy: 'Name the primary in DATABASE_URL or DB_HOST; check default_transaction_read_only.',
  },
  {
    subject: 'database',
    isMet: byCode(/CERT|^UNABLE_TO_VERIFY|^ERR_(TLS|SSL)/),
    message: 'its certificate is not trusted',
    remedy: 'Name the certificate authority: sslrootcert in DATABASE_URL.',
  },
  {
    subject: 'migrations',
    isMet: (error) =>
      byCode(/^42P01$|^42703$|^E_MIGRATIONS_PENDING$/)(error) ||
      byText(/no such (table|column)/)(error),
    message: 'tables of this version are missing',
    remedy: 'Start with AUTO_MIGRATE=true, or run migration:run.',
  },
  {
    subject: 'database',
    isMet: byCode(/^SQLITE_(NOTADB|CORRUPT)/),
    message: 'gatehouse.sqlite is damaged or no database',
    remedy: 'Restore it from a backup: docs/deploy.md, “Backup and restore”.',
  },
  {
    subject: 'database',
    isMet: byCode(/^SQLITE_(BUSY|LOCKED)/),
    message: 'another program has locked gatehouse.sqlite',
    remedy: 'End the program that keeps it open, such as an SQLite shell.',
  },
  {
    subject: 'database',
    isMet: byCode(/^(SQLITE_FULL|53100)$/),
    message: 'the disk of the database is full',
    remedy: 'Make room there: for SQLite it is the disk of DATA_DIR.',
  },
  {
    subject: 'database',
    isMet: byCode(UNWRITABLE),
    message: 'gatehouse.sqlite cannot be written',
    remedy: 'Check owner, modes and free space of DATA_DIR, and run this as the owner.',
  },
  {
    subject: null,
    isMet: byCode(/^(ENOSPC|EDQUOT)$/),
    message: 'the disk is full',
    remedy: 'Make room where files are written: in DATA_DIR, or in the folder that you named.',
  },
  {
    subject: null,
    isMet: byCode(/^(EACCES|EPERM|ENOENT|ENOTDIR|EROFS)$/),
    message: 'DATA_DIR cannot be used',
    remedy: 'Check DATA_DIR, and run this as the owner of the folder.',
  },
]

const NO_ANSWER: Record<'database' | 'store', Failure> = {
  database: {
    message: 'Postgres does not answer',
    remedy: 'Start Postgres, or correct DATABASE_URL or DB_HOST and DB_PORT.',
  },
  store: {
    message: 'Redis does not answer',
    remedy: 'Start Redis, or correct REDIS_URL, REDIS_SENTINELS or REDIS_CLUSTER_NODES.',
  },
}

/** @param check the name of the line; a line that depends on another one names it as its remedy */
export function explainFailure(check: string, error: any): Failure {
  const { subject, message, remedy } = failureOf(check, error)
  if (subject === check || subject === null) return { message, remedy }
  return { message: 'not checked', remedy: `See “${subject}”.` }
}

/** The sentence that ends a start or a command; null where no rule explains the error. */
export function explainError(error: any): string | null {
  const rule = ruleOf(isRedisFailure(error) ? 'store' : 'database', error)
  if (!rule) return null
  const unwritable = UNWRITABLE.test(error.code) && findUnwritable(env.get('DATA_DIR'))
  const { message, remedy } = unwritable || { ...rule, message: rule.message + detailOf(error) }
  return `${message}. ${remedy}`
}

function ruleOf(check: string, error: any) {
  return RULES.find(({ isMet }) => isMet(error)) ?? noAnswer(check, error)
}

function failureOf(check: string, error: any): Explained {
  const rule = ruleOf(check, error)
  if (rule) return { ...rule, message: rule.message + detailOf(error) }
  const message = `this check failed: ${withoutStatement(error.message).split('\n')[0]}`
  const remedy = 'Mend what the other lines name, then run doctor again.'
  return { subject: null, message, remedy }
}

function noAnswer(check: string, error: any): Explained | null {
  if (!isDependencyDown(error)) return null
  const subject = check === 'store' && env.get('STORE') === 'redis' ? 'store' : 'database'
  return { subject, ...NO_ANSWER[subject] }
}

/** The detail is what an operator can search for, such as “ (ECONNREFUSED 127.0.0.1:5432)”. */
function detailOf(error: any) {
  const { code, address, port, hostname } = error.errors?.[0] ?? error
  const where = address ? `${address}:${port}` : hostname
  const detail = [code, where].filter(Boolean).join(' ')
  return detail ? ` (${detail})` : ''
}
