window.ui = SwaggerUIBundle({
  url: '/openapi.yml',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: true,
});
