import limits from '#config/limits'
import { invalidField } from '#exceptions/http_errors'
import { refusal } from '#exceptions/refusal'

export const E_GROUP_EXISTS = refusal(409, 'E_GROUP_EXISTS', 'A group has this name already')
export const E_GROUP_LIMIT = refusal(
  409,
  'E_GROUP_LIMIT',
  `An account can be in ${limits.groupsOfUser} groups, and there can be ${limits.groups} groups`
)

export function unknownGroup(field: string) {
  return invalidField(field, 'group', `The ${field} field must name groups that exist`)
}
