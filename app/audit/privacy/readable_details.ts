/** Details that identify no user. All others are encrypted. */
const READABLE = new Set([
  'algorithm',
  'attemptsRemaining',
  'cause',
  'count',
  'dropOld',
  'endedSessions',
  'firstEvent',
  'from',
  'isEnded',
  'isFirst',
  'keyId',
  'keyrings',
  'kid',
  'kind',
  'knownDevice',
  'lockKind',
  'method',
  'mfa',
  'mustChange',
  'passkeyId',
  'provider',
  'reason',
  'removedMfa',
  'removedPasskeys',
  'route',
  'signsFrom',
  'unlinked',
  'until',
  'users',
  'withHashes',
  'withdrawnDevices',
  'wrongCodes',
])

/** The subject of an event, and who was an administrator, stay readable after an erasure. */
const ALWAYS = new Set([
  'clientId',
  'endedBefore',
  'groupId',
  'role',
  'sessionId',
  'sessionIds',
  'webhookId',
])

export interface Split {
  readable: Record<string, unknown>
  personal: Record<string, unknown>
}

/** Values before and after a change are personal, and so is the reason beside them. */
export function splitDetails(details: object = {}): Split {
  const fields = Object.entries(details)
  const hasValues = fields.some(([, value]) => isStructured(value))
  const isReadable = ([field]: [string, unknown]) =>
    ALWAYS.has(field) || (READABLE.has(field) && !hasValues)
  return {
    readable: Object.fromEntries(fields.filter(isReadable)),
    personal: Object.fromEntries(fields.filter((field) => !isReadable(field))),
  }
}

export function isStructured(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
