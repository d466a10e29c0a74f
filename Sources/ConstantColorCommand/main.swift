print("constant-color")
