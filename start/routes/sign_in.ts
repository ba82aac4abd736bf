import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/* Forms without a mailed link need a browser session and its CSRF protection. */
const { pages } = controllers

function signInRoutes() {
  router.get('sign-in', [pages.SignIn, 'create'])
  router.post('sign-in', [pages.SignIn, 'store'])
  router.post('sign-in/code', [pages.SignIn, 'verify'])
  router.get('sign-in/verification', [pages.VerificationRequests, 'create'])
  router
    .post('sign-in/verification', [pages.VerificationRequests, 'store'])
    .use(middleware.throttle({ by: 'mail' }))
  router.post('sign-in/passkey', [pages.Passkeys, 'signIn'])
  router.on('sign-in/passkey').redirectToPath('/sign-in').as('sign_in.passkey.back')
  router.post('sign-in/code/passkey', [pages.Passkeys, 'verify'])
  router.on('sign-in/code/passkey').redirectToPath('/sign-in').as('sign_in.code_passkey.back')
  router.on('sign-in/code').redirectToPath('/sign-in').as('sign_in.code.back')
  router.get('sign-in/password', [pages.Passwords, 'createAndSignIn']).as('sign_in.password')
  router.post('sign-in/password', [pages.Passwords, 'storeAndSignIn']).as('sign_in.password.store')
  router
    .get('sign-in/external', [pages.ExternalSignIns, 'show'])
    .use(middleware.throttle({ by: 'external' }))
  router.get('sign-in/external/:provider', [pages.ExternalSignIns, 'ask'])
  router.get('sign-out', [pages.SignOut, 'create'])
  router.post('sign-out', [pages.SignOut, 'destroy'])
}

function confirmationRoutes() {
  router.get('confirm', [pages.Confirmations, 'create'])
  router.post('confirm', [pages.Confirmations, 'store'])
  router.post('confirm/passkey', [pages.Passkeys, 'confirm'])
  router.on('confirm/passkey').redirectToPath('/confirm').as('confirm.passkey.back')
}

function hostedRoutes() {
  router.get('sign-up', [pages.SignUp, 'create'])
  router.post('sign-up', [pages.SignUp, 'store'])
  router.get('forgot-password', [pages.ForgottenPasswords, 'create'])
  router.post('forgot-password', [pages.ForgottenPasswords, 'store'])
}

const withForms = () => [
  middleware.session(),
  middleware.language(),
  middleware.formBody(),
  middleware.shield(),
  middleware.initializeAuth(),
]

router
  .group(() => {
    signInRoutes()
    router.group(confirmationRoutes).use(middleware.requireUser())
  })
  .use(withForms())

router.group(hostedRoutes).use([middleware.hostedPages(), ...withForms()])
