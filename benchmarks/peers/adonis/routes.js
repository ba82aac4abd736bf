import router from '@adonisjs/core/services/router'

router.get('/', () => ({ status: 'ok' }))
router.get('/health', () => ({ status: 'ok' }))
