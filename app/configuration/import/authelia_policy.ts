import { asArray, asObject, type JsonObject } from './imported.ts'

export interface AccessFields {
  access?: 'groups'
  allowedGroups?: string[]
  requireMfa?: boolean
}

interface Access {
  fields: AccessFields
  note?: string
}

/** Returns who may use a client, by one of the fixed policies or by rules that name groups. */
export function accessOf(policy: unknown, policies: JsonObject): Access {
  if (policy === 'one_factor') return { fields: {} }
  if (policy === 'two_factor') return { fields: { requireMfa: true } }
  const closed = { access: 'groups' as const, allowedGroups: [] }
  if (policy === 'deny') return { fields: closed }
  const own = asObject(Object.hasOwn(policies, String(policy)) ? policies[String(policy)] : null)
  const rules = asArray(own.rules).map(asObject)
  const groups = rules.map(groupsOf)
  const isPlain = own.default_policy === 'deny' && groups.every((each) => each !== null)
  if (!isPlain || rules.length === 0)
    return {
      fields: closed,
      note: `the policy ${policy}: no user may sign in until you set access`,
    }
  const requireMfa = rules.some((rule) => rule.policy !== 'one_factor')
  const allowedGroups = [...new Set(groups.flatMap((each) => each ?? []))]
  return { fields: { ...closed, allowedGroups, ...(requireMfa && { requireMfa }) } }
}

/** Returns null for a rule about anything but single groups. */
function groupsOf({ policy, subject, networks }: JsonObject): string[] | null {
  const subjects = typeof subject === 'string' ? [subject] : asArray(subject)
  if (policy === 'deny' || networks || subjects.length === 0) return null
  const groups = subjects.map((each) => {
    const [only, ...more] = Array.isArray(each) ? each : [each]
    const isGroup = more.length === 0 && typeof only === 'string' && only.startsWith('group:')
    return isGroup ? only.slice('group:'.length) : null
  })
  return groups.every((group) => group !== null) ? groups : null
}
