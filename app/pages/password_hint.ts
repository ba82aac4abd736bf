import passwords from '#config/passwords'

/** The password policy in one line, shown under the field of a new password. */
export const passwordHint =
  passwords.policy === 'composition'
    ? `At least ${passwords.minLength} characters, with an upper and a lower case letter, a digit and one of !@#$%^&*`
    : `At least ${passwords.minLength} characters`
