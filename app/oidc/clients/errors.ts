import limits from '#config/limits'
import { refusal } from '#exceptions/refusal'

export const E_CLIENT_ID_TAKEN = refusal(409, 'E_CLIENT_ID_TAKEN', 'The client ID is taken')
export const E_CLIENT_LIMIT = refusal(
  409,
  'E_CLIENT_LIMIT',
  `There are ${limits.delegatedClients} clients, and keys and applications register no more`
)
