import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'

router.get('.well-known/jwks.json', [controllers.api.PublicKeys, 'show'])
router.get('.well-known/webauthn', [controllers.api.RelatedOrigins, 'show'])
