import Foundation

exit(TintypeCommand.execute(Array(CommandLine.arguments.dropFirst())))
