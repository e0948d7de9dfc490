const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();
window.ui = SwaggerUIBundle({
  url: '/openapi.yml',
  dom_id: '#api',
  deepLinking: true,
  // A key in the browser's storage would outlive the page and be any script's of this origin.
  persistAuthorization: false,
});
