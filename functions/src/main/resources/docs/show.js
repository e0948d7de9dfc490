window.ui = SwaggerUIBundle({
  url: '/openapi.yml',
  dom_id: '#api',
  deepLinking: true,
  // A key in the browser's storage would outlive the page and be any script's of this origin.
  persistAuthorization: false,
});
