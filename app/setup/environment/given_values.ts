import { isMissing } from './rules.ts'

/** An empty variable counts as missing. A setting can also be given by its earlier name. */
export function givenOf(values: Record<string, string | undefined>) {
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) if (!isMissing(value)) given.set(name, value)
  const earlier = given.get('CONSOLE_REQUIRE_MFA')
  if (earlier && !given.has('ADMIN_REQUIRE_MFA')) given.set('ADMIN_REQUIRE_MFA', earlier)
  return given as ReadonlyMap<string, string>
}
