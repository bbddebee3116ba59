"""The views, one module each: projections of State. They never import each other."""
