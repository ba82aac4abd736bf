import env from '#start/env'
import { withoutStatement } from '#database/without_statement'
import { inEnglish, sentence, type Sentence } from '#i18n/sentences'
import { findUnwritable } from '#setup/writable_database'
import { isDependencyDown, isRedisFailure } from '#exceptions/dependency_failures'

interface Failure {
  finding: Sentence
  remedy: Sentence
}

type Subject = 'database' | 'migrations' | 'store'

interface Explained extends Failure {
  /** Null for the line of the check itself. */
  subject: Subject | null
}

interface Rule {
  /** Its texts are `failures.<id>` in `resources/lang/<language>/doctor.json`. */
  id: string
  subject: Subject | null
  /** A text of another check, instead of `failures.<id>.remedy`. */
  remedy?: string
  isMet: (error: any) => boolean
}

/** Extended codes such as SQLITE_READONLY_DIRECTORY say what exactly could not be written. */
const UNWRITABLE = /^SQLITE_(CANTOPEN|READONLY|FULL|IOERR|PERM)/

const byCode = (codes: RegExp) => (error: any) => codes.test(error.code ?? '')
const byText = (text: RegExp) => (error: any) => text.test(error.message ?? '')

/** The first rule that matches explains an error. */
const RULES: Rule[] = [
  {
    id: 'sentinels_refuse',
    subject: 'store',
    isMet: byText(/sentinels are unreachable.*(NOAUTH|WRONGPASS|NOPERM)/),
  },
  {
    id: 'redis_refuses',
    subject: 'store',
    isMet: byText(/^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/),
  },
  {
    id: 'postgres_refuses',
    subject: 'database',
    isMet: byCode(/^28/),
  },
  {
    id: 'no_such_database',
    subject: 'database',
    isMet: byCode(/^3D000$/),
  },
  {
    id: 'no_right',
    subject: 'database',
    isMet: byCode(/^42501$/),
  },
  {
    id: 'no_connection_left',
    subject: 'database',
    isMet: byCode(/^53300$/),
  },
  {
    id: 'no_tls',
    subject: 'database',
    isMet: byText(/server does not support SSL/),
  },
  {
    id: 'standby',
    subject: 'database',
    isMet: byCode(/^25006$/),
  },
  {
    id: 'untrusted_certificate',
    subject: 'database',
    isMet: byCode(/CERT|^UNABLE_TO_VERIFY|^ERR_(TLS|SSL)/),
  },
  {
    id: 'tables_missing',
    subject: 'migrations',
    remedy: 'migrations.remedy',
    isMet: (error) =>
      byCode(/^42P01$|^42703$|^E_MIGRATIONS_PENDING$/)(error) ||
      byText(/no such (table|column)/)(error),
  },
  {
    id: 'damaged',
    subject: 'database',
    isMet: byCode(/^SQLITE_(NOTADB|CORRUPT)/),
  },
  {
    id: 'locked',
    subject: 'database',
    isMet: byCode(/^SQLITE_(BUSY|LOCKED)/),
  },
  {
    id: 'disk_of_database',
    subject: 'database',
    isMet: byCode(/^(SQLITE_FULL|53100)$/),
  },
  {
    id: 'unwritable',
    subject: 'database',
    isMet: byCode(UNWRITABLE),
  },
  {
    id: 'disk_full',
    subject: null,
    isMet: byCode(/^(ENOSPC|EDQUOT)$/),
  },
  {
    id: 'no_folder',
    subject: null,
    isMet: byCode(/^(EACCES|EPERM|ENOENT|ENOTDIR|EROFS)$/),
  },
]

const NO_ANSWER = { database: 'no_postgres', store: 'no_redis' } as const

/** @param check the name of the line; a line that depends on another one names it as its remedy */
export function explainFailure(check: string, error: any): Failure {
  const { subject, finding, remedy } = failureOf(check, error)
  if (subject === check || subject === null) return { finding, remedy }
  const other = sentence('failures.not_checked.remedy', { subject })
  return { finding: sentence('failures.not_checked.finding'), remedy: other }
}

/** Returns the sentence that ends a start or a command; null if no rule explains the error. */
export function explainError(error: any): string | null {
  const explained = explain(isRedisFailure(error) ? 'store' : 'database', error)
  if (!explained) return null
  const unwritable = UNWRITABLE.test(error.code) && findUnwritable(env.get('DATA_DIR'))
  return inOneLine(unwritable || explained)
}

/** For the log and a terminal. */
export function inOneLine({ finding, remedy }: Failure) {
  return `${inEnglish(finding)}. ${inEnglish(remedy)}`
}

function failureOf(check: string, error: any): Explained {
  const explained = explain(check, error)
  if (explained) return explained
  const [problem] = withoutStatement(error.message).split('\n')
  const finding = sentence('failures.unknown.finding', { problem })
  return { subject: null, finding, remedy: sentence('failures.unknown.remedy') }
}

function explain(check: string, error: any): Explained | null {
  const rule = RULES.find(({ isMet }) => isMet(error)) ?? noAnswer(check, error)
  if (!rule) return null
  const { id, subject, remedy = `failures.${id}.remedy` } = rule
  const finding = sentence(`failures.${id}.finding`, {}, detailOf(error))
  return { subject, finding, remedy: sentence(remedy) }
}

function noAnswer(check: string, error: any): Omit<Rule, 'isMet'> | null {
  if (!isDependencyDown(error)) return null
  const subject = check === 'store' && env.get('STORE') === 'redis' ? 'store' : 'database'
  return { subject, id: NO_ANSWER[subject] }
}

/** Returns what an operator can search for, such as “ (ECONNREFUSED 127.0.0.1:5432)”. */
function detailOf(error: any) {
  const { code, address, port, hostname } = error.errors?.[0] ?? error
  const where = address ? `${address}:${port}` : hostname
  const detail = [code, where].filter(Boolean).join(' ')
  return detail ? ` (${detail})` : ''
}
