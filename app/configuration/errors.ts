import { refusal } from '#exceptions/refusal'

export const E_MANAGED = refusal(
  409,
  'E_MANAGED',
  'Something else manages this: it cannot be changed here'
)
