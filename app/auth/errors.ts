import { Exception } from '@adonisjs/core/exceptions'

/**
 * Every refusal of the product. The status and the code stand on the class, the words
 * are the contract's, and `app/exceptions/handler.ts` is the only place that renders them.
 */
export class Refusal extends Exception {
  /** Headers of the answer, such as `Retry-After`. */
  headers: Record<string, string> = {}

  /** Further members of the body, such as `attemptsRemaining`. */
  members: Record<string, unknown> = {}

  /** Tells the client after how many seconds another try makes sense. */
  retryAfter(seconds: number) {
    this.headers['retry-after'] = String(Math.max(1, Math.ceil(seconds)))
    return this
  }
}

export class E_UNAUTHORIZED extends Refusal {
  static status = 401
  static code = 'E_UNAUTHORIZED'
  static message = 'Unauthorized'
}

export class E_TOKEN_REVOKED extends Refusal {
  static status = 401
  static code = 'E_TOKEN_REVOKED'
  static message = 'Token has been revoked'
}

export class E_INVALID_CREDENTIALS extends Refusal {
  static status = 401
  static code = 'E_INVALID_CREDENTIALS'
  static message = 'Invalid credentials'

  static withRemaining(attemptsRemaining: number) {
    const refusal = new this(`Invalid credentials. ${attemptsRemaining} attempts remaining`)
    refusal.members = { attemptsRemaining }
    return refusal
  }
}

export class E_INVALID_REFRESH_TOKEN extends Refusal {
  static status = 401
  static code = 'E_INVALID_REFRESH_TOKEN'
  static message = 'Invalid refresh token'
}

export class E_MFA_REQUIRED extends Refusal {
  static status = 401
  static code = 'E_MFA_REQUIRED'
  static message = 'Multi-factor code required'

  static withToken({ mfaToken, expiresIn }: { mfaToken: string; expiresIn: number }) {
    const refusal = new this()
    refusal.members = { mfaToken, expiresIn }
    return refusal
  }
}

/** A wrong code at the second step of a login; `E_INVALID_CODE` is the one at enrolment. */
export class E_WRONG_CODE extends Refusal {
  static status = 401
  static code = 'E_INVALID_CODE'
  static message = 'Invalid verification code'

  static withRemaining(attemptsRemaining: number) {
    const refusal = new this(`Invalid verification code. ${attemptsRemaining} attempts remaining`)
    refusal.members = { attemptsRemaining }
    return refusal
  }
}

export class E_INVALID_MFA_TOKEN extends Refusal {
  static status = 401
  static code = 'E_INVALID_MFA_TOKEN'
  static message = 'Invalid or expired multi-factor token'
}

export class E_ACCOUNT_LOCKED extends Refusal {
  static status = 403
  static code = 'E_ACCOUNT_LOCKED'
  static message = 'Account locked due to multiple failed attempts'
}

export class E_ACCOUNT_DISABLED extends Refusal {
  static status = 403
  static code = 'E_ACCOUNT_DISABLED'
  static message = 'Account disabled'
}

export class E_EMAIL_UNVERIFIED extends Refusal {
  static status = 403
  static code = 'E_EMAIL_UNVERIFIED'
  static message = 'Email address not verified'
}

export class E_PASSWORD_CHANGE_REQUIRED extends Refusal {
  static status = 403
  static code = 'E_PASSWORD_CHANGE_REQUIRED'
  static message = 'Password must be changed before signing in'

  /** With the token that `/auth/reset-password` takes: who gets here gave the right password. */
  static withToken(resetToken: string) {
    const refusal = new this()
    refusal.members = { resetToken }
    return refusal
  }
}

export class E_RECENT_LOGIN_REQUIRED extends Refusal {
  static status = 403
  static code = 'E_RECENT_LOGIN_REQUIRED'
  static message = 'Log in again, or send currentPassword and, with multi-factor, code'
}

export class E_FORBIDDEN extends Refusal {
  static status = 403
  static code = 'E_FORBIDDEN'
  static message = 'Insufficient permissions'
}

export class E_CROSS_SITE extends Refusal {
  static status = 403
  static code = 'E_CROSS_SITE'
  static message = 'A request with cookies must come from a page of this origin'
}

export class E_FORM_EXPIRED extends Refusal {
  static status = 403
  static code = 'E_FORM_EXPIRED'
  static message = 'The form was not sent from a page of this visit'
}

export class E_NOT_FOUND extends Refusal {
  static status = 404
  static code = 'E_NOT_FOUND'
  static message = 'Resource not found'
}

export class E_EMAIL_TAKEN extends Refusal {
  static status = 409
  static code = 'E_EMAIL_TAKEN'
  static message = 'Email already registered'
}

export class E_LAST_ADMIN extends Refusal {
  static status = 409
  static code = 'E_LAST_ADMIN'
  static message = 'The last administrator cannot be removed, demoted or disabled'
}

export class E_MFA_ENABLED extends Refusal {
  static status = 409
  static code = 'E_MFA_ENABLED'
  static message = 'Multi-factor authentication is already enabled'
}

export class E_MFA_NOT_ENABLED extends Refusal {
  static status = 409
  static code = 'E_MFA_NOT_ENABLED'
  static message = 'Multi-factor authentication is not enabled'
}

export class E_INCORRECT_PASSWORD extends Refusal {
  static status = 400
  static code = 'E_INCORRECT_PASSWORD'
  static message = 'Current password is incorrect'
}

export class E_SAME_PASSWORD extends Refusal {
  static status = 400
  static code = 'E_SAME_PASSWORD'
  static message = 'New password must differ from the current one'
}

export class E_INVALID_CODE extends Refusal {
  static status = 400
  static code = 'E_INVALID_CODE'
  static message = 'Invalid verification code'
}

export class E_INVALID_TOKEN extends Refusal {
  static status = 400
  static code = 'E_INVALID_TOKEN'
  static message = 'Invalid or expired token'
}

export class E_UNSUPPORTED_VERSION extends Refusal {
  static status = 400
  static code = 'E_UNSUPPORTED_VERSION'
  static message = 'Unsupported API version'
}

export class E_BAD_REQUEST extends Refusal {
  static status = 400
  static code = 'E_BAD_REQUEST'
  static message = 'request parameter error'
}

export class E_BAD_CURSOR extends Refusal {
  static status = 400
  static code = 'E_VALIDATION_ERROR'
  static message = 'request parameter error'
  members = {
    errors: [
      {
        field: 'cursor',
        rule: 'cursor',
        message: 'The cursor field must be a nextCursor of a list in the same order',
      },
    ],
  }
}

export class E_INVALID_PICTURE extends Refusal {
  static status = 400
  static code = 'E_VALIDATION_ERROR'
  static message = 'request parameter error'
  members = {
    errors: [
      {
        field: 'file',
        rule: 'picture',
        message: 'The file field must be a JPEG, PNG or WebP picture of at most 16 megapixels',
      },
    ],
  }
}

export class E_EXTERNAL_STATE extends Refusal {
  static status = 400
  static code = 'E_EXTERNAL_STATE'
  static message = 'The external login was not started in this browser, or took too long'
}

export class E_RETURN_TO extends Refusal {
  static status = 400
  static code = 'E_RETURN_TO'
  static message = 'The returnTo address is not allowed'
}

export class E_EXTERNAL_EMAIL_MISSING extends Refusal {
  static status = 400
  static code = 'E_EXTERNAL_EMAIL_MISSING'
  static message = 'The provider did not tell an email address'
}

export class E_EXTERNAL_DENIED extends Refusal {
  static status = 401
  static code = 'E_EXTERNAL_DENIED'
  static message = 'The login was cancelled or refused at the provider'
}

export class E_EXTERNAL_LOGIN_FAILED extends Refusal {
  static status = 401
  static code = 'E_EXTERNAL_LOGIN_FAILED'
  static message = 'The answer of the provider could not be verified'
}

export class E_IDENTITY_CONFLICT extends Refusal {
  static status = 409
  static code = 'E_IDENTITY_CONFLICT'
  static message = 'An account with this email exists: log in to it and link the provider there'
}

export class E_IDENTITY_TAKEN extends Refusal {
  static status = 409
  static code = 'E_IDENTITY_TAKEN'
  static message = 'This identity is linked to another account'
}

export class E_LAST_SIGN_IN extends Refusal {
  static status = 409
  static code = 'E_LAST_SIGN_IN'
  static message = 'The only way to sign in cannot be removed: set a password first'
}

export class E_PROVIDER_FAILED extends Refusal {
  static status = 502
  static code = 'E_PROVIDER_FAILED'
  static message = 'The provider cannot be reached or answers nonsense'
}

export class E_PROVIDER_TIMEOUT extends Refusal {
  static status = 504
  static code = 'E_PROVIDER_TIMEOUT'
  static message = 'The provider did not answer in time'
}

export class E_PAYLOAD_TOO_LARGE extends Refusal {
  static status = 413
  static code = 'E_PAYLOAD_TOO_LARGE'
  static message = 'Request body too large'
}

export class E_UNSUPPORTED_MEDIA_TYPE extends Refusal {
  static status = 415
  static code = 'E_UNSUPPORTED_MEDIA_TYPE'
  static message = 'Unsupported content type'
}

export class E_TOO_MANY_REQUESTS extends Refusal {
  static status = 429
  static code = 'E_TOO_MANY_REQUESTS'
  static message = 'Too many requests'
}

export class E_UNAVAILABLE extends Refusal {
  static status = 503
  static code = 'E_UNAVAILABLE'
  static message = 'Service temporarily unavailable'
}

export class E_BUSY extends Refusal {
  static status = 503
  static code = 'E_BUSY'
  static message = 'Too many passwords are being checked at the moment'
}
