import { isMissing } from './rules.ts'

/** An empty variable is a missing one. A setting that has an earlier name is given by it too. */
export function givenOf(values: Record<string, string | undefined>) {
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) if (!isMissing(value)) given.set(name, value)
  const earlier = given.get('CONSOLE_REQUIRE_MFA')
  if (earlier && !given.has('ADMIN_REQUIRE_MFA')) given.set('ADMIN_REQUIRE_MFA', earlier)
  return given as ReadonlyMap<string, string>
}
