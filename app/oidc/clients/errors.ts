import { refusal } from '#exceptions/refusal'

export const E_CLIENT_ID_TAKEN = refusal(409, 'E_CLIENT_ID_TAKEN', 'The client ID is taken')
