import { SIGN_IN_METHODS } from '#auth/methods/sign_in_method'
import type { Family } from './family.ts'

const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials', 'device_code']

const ENDS = [
  'access_lost',
  'client_changed',
  'deleted',
  'disabled',
  'email_change_undone',
  'ended_all',
  'identity_unlinked',
  'mfa_changed',
  'passkey_removed',
  'password_changed',
  'password_reset',
  'replaced',
  'reported',
  'role_changed',
  'signed_out',
  'token_reused',
  'withdrawn',
]

/** Each label with its values; any other value counts as `other`, which bounds the series. */
export const COUNTERS = {
  gatehouse_logins_total: {
    help: 'Sign-ins by method and outcome; a second step is a sign-in of its own.',
    labels: {
      method: SIGN_IN_METHODS,
      outcome: [
        'success',
        'mfa_required',
        'wrong_credentials',
        'wrong_code',
        'locked',
        'disabled',
        'unverified',
        'password_change_required',
        'throttled',
        'busy',
        'refused',
        'unavailable',
      ],
    },
  },
  gatehouse_refreshes_total: {
    help: 'Refreshes of access tokens by outcome, without those of applications.',
    labels: { outcome: ['success', 'invalid', 'unverified', 'unavailable'] },
  },
  gatehouse_locks_total: {
    help: 'Locks of users and devices by kind.',
    labels: { kind: ['failures', 'device', 'codes', 'administrator'] },
  },
  gatehouse_sessions_ended_total: {
    help: 'Sessions that ended before they expired, by reason.',
    labels: { reason: ENDS },
  },
  gatehouse_oauth_tokens_total: {
    help: 'Requests for tokens of applications, by grant and outcome.',
    labels: {
      grant: GRANTS,
      outcome: [
        'success',
        'invalid_client',
        'invalid_grant',
        'invalid_request',
        'invalid_scope',
        'invalid_target',
        'unauthorized_client',
        'unsupported_grant_type',
        'authorization_pending',
        'slow_down',
        'expired_token',
        'access_denied',
        'server_error',
        'temporarily_unavailable',
      ],
    },
  },
  gatehouse_mails_total: {
    help: 'Tries to deliver a mail: sent, deferred to another try, or failed for good.',
    labels: { outcome: ['sent', 'deferred', 'failed'] },
  },
  gatehouse_webhook_deliveries_total: {
    help: 'Tries to deliver to a webhook: delivered, deferred to another try, or failed for good.',
    labels: { outcome: ['delivered', 'deferred', 'failed'] },
  },
} satisfies Record<string, { help: string; labels: Record<string, string[]> }>

type CounterName = keyof typeof COUNTERS

type LabelsOf<Name extends CounterName> = Record<
  keyof (typeof COUNTERS)[Name]['labels'] & string,
  string
>

const OTHER = 'other'

const names = Object.keys(COUNTERS) as CounterName[]
const totals = new Map(names.map((name) => [name, new Map<string, number>()]))

/** Prepared only one time, because every refresh counts as well. */
const labelSets = new Map(
  names.map((name) => [name, Object.entries<string[]>(COUNTERS[name].labels)])
)

const setsOf = (name: CounterName) => labelSets.get(name)!

/** Counts only in memory, without a call to the database or the store. */
export function count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1) {
  const values = setsOf(name).map(([label, known]) => {
    const value = labels[label as keyof LabelsOf<Name>]
    return known.includes(value) ? value : OTHER
  })
  const total = totals.get(name)!
  const key = values.join(' ')
  total.set(key, (total.get(key) ?? 0) + by)
}

/** Returns every series from the start, at 0: a rate would otherwise miss its first event. */
export function counterFamilies(): Family[] {
  return names.map((name) => {
    const total = totals.get(name)!
    const samples = combinations(setsOf(name)).map((labels) => {
      return { labels, value: total.get(Object.values(labels).join(' ')) ?? 0 }
    })
    return { name, help: COUNTERS[name].help, type: 'counter', samples }
  })
}

function combinations([first, ...rest]: [string, string[]][]): Record<string, string>[] {
  if (!first) return [{}]
  const [label, known] = first
  const others = combinations(rest)
  return [...known, OTHER].flatMap((value) => others.map((other) => ({ [label]: value, ...other })))
}
