import SwaggerUIBundle from "swagger-ui-dist/swagger-ui-es-bundle.js";
import SwaggerUIStandalonePreset from "swagger-ui-dist/swagger-ui-standalone-preset.js";
import "swagger-ui-dist/swagger-ui.css";

/** Both documents with a console to try them on this very host. Nothing is asked of any other. */
SwaggerUIBundle({
  dom_id: "#documents",
  urls: [
    { name: "Supply and yield", url: "/api/openapi.json" },
    { name: "Chain node", url: "/v1/spec.json" },
  ],
  presets: [SwaggerUIBundle["presets"].apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
